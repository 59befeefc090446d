package learner

import (
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
)

// Options configure a learner. The zero value has the defaults.
type Options struct {
	Method method.Method // zero for method.Default
	Kit    Kit           // constructors of the parts that the method names; zero for CommonParts
	Tuning Tuning

	// Preprocess is how images reach the network; zero for the preprocessing in its metadata.
	Preprocess imaging.Preprocess
	// Hearing turns this into a learner of sounds: see Hearing.
	Hearing Hearing
	// Lean learners keep no pixels of their examples; their callers do.
	Lean bool
	// Digest is the SHA-256 of the weights file, in hexadecimal: a project file
	// names the network of its embeddings by it. "" if it is unknown.
	Digest string

	// Cohort has the classes of the network's training. Unknown images are compared with them;
	// nil for a network without a cohort. OpenWith takes it from the file.
	Cohort *openset.Cohort

	Threads   int  // of OpenWith: 0 for all processors
	LowMemory bool // of OpenWith: hold the weights in the smaller, slower form
}

// complete returns the options with method and kit.
func (o Options) complete() Options {
	if o.Method.IsZero() {
		o.Method = method.Default()
	}
	if o.Kit.Classifiers == nil && o.Kit.Embedders == nil {
		o.Kit = CommonParts()
	}
	return o
}
