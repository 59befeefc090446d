package learner

import (
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
)

// Options configure a learner. The zero value has the defaults.
type Options struct {
	// Method is the method; zero for method.Default. Start from method.Default to change one setting:
	// in a partly filled value, Balance and Strangers are off.
	Method method.Method
	Kit    Kit // constructors of the parts that the method names; zero for CommonParts, AllParts has every part
	Tuning Tuning

	// Preprocess is the preprocessing of images; zero for the network's metadata.
	Preprocess imaging.Preprocess
	// Hearing makes a learner of sounds; see Hearing.
	Hearing Hearing
	// Lean learners do not store the pixels of examples.
	Lean bool
	// Digest is archive.Digest of the weights file, which identifies the network in project files, or
	// "" if unknown: then archive.Save stores no embeddings, and archive.Open embeds every picture again.
	Digest string

	// Prior calibrates the detection of unknown images if classes have few examples. The zero value
	// stands for the prior in the network's file; if there is none, for HeldOut or HeldOutSounds.
	Prior openset.Prior

	Threads   int  // for OpenWith: 0 for all processors
	LowMemory bool // for OpenWith: store the weights in a smaller, slower format
}

// complete returns the options with the defaults of method and kit.
func (o Options) complete() Options {
	if o.Method.IsZero() {
		o.Method = method.Default()
	}
	if k := o.Kit; k.Classifiers == nil && k.Embedders == nil && k.Weightings == nil && k.Solvers == nil {
		o.Kit = CommonParts()
	}
	if o.Prior == (openset.Prior{}) {
		o.Prior = openset.HeldOut
		if o.Hearing != nil {
			o.Prior = openset.HeldOutSounds
		}
	}
	return o
}
