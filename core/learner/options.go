package learner

import (
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
)

// Open returns a learner of the network in a weights file (safetensors).
//
// Errors have code "bad-weights" for a file that is damaged or of another
// network, and those of New.
func Open(file []byte, opt Options) (*Learner, error) {
	f, err := weights.Decode("weights", file)
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	network, err := backbone.New(f, backbone.Options{Threads: opt.Threads, LowMemory: opt.LowMemory})
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	if t, ok := f.Tensors[openset.CohortTensor]; ok {
		if opt.Cohort, err = openset.ReadCohort(t, network.Channels()); err != nil {
			return nil, fail(CodeBadWeights, "%s: %v", f.Source, err)
		}
	}
	return New(network, opt)
}

// Options configure a learner. Only Kit has no default.
type Options struct {
	Method method.Method // zero for method.Default
	Kit    Kit           // makes what the method names: AllParts, or fewer
	Tuning Tuning

	// Preprocess is how pictures reach the network; zero for what its metadata say.
	Preprocess imaging.Preprocess
	// Hearing turns this into a learner of sounds: see Hearing.
	Hearing Hearing
	// Lean learners keep no pixels of their examples; their callers do.
	Lean bool
	// Patience lets the answers of a stream (ClassifyLive) lag behind the examples, so
	// that a page stays fast while examples come: an old calibration of strangers serves
	// for as many times as long as a new one takes, and a classifier that learns from
	// many examples (see fewshot.Student) learns a little with each answer and in calls
	// of Study, and answers meanwhile by what it learned before. 0 for no lag.
	Patience float64
	// Digest is the SHA-256 of the weights file, in hexadecimal: a project file
	// names the network of its embeddings by it. "" where it is unknown.
	Digest string

	// Cohort is what the network has learned, against which strangers are judged; nil
	// for a network that says nothing of it. Open takes it from the file.
	Cohort *openset.Cohort

	Threads   int  // of Open: 0 for all processors
	LowMemory bool // of Open: hold the weights in the smaller, slower form
}
