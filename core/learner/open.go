package learner

import (
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
