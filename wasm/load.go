package wasm

import (
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
)

// Load returns an engine for a weights file (safetensors).
//
// Errors have code "bad-weights" for a file that is damaged or of another
// network, and "bad-argument" for options that name no known way.
func Load(file []byte, opt Options) (*Engine, error) {
	f, err := weights.Decode("weights", file)
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	network, err := resnet.New(f, resnet.Options{Threads: 1, LowMemory: opt.LowMemory})
	if err != nil {
		return nil, fail(CodeBadWeights, "%v", err)
	}
	return New(network, opt)
}

// newWeighting returns the weighting that the options name.
func newWeighting(opt Options) (match.Weighting, error) {
	if opt.Weighting == "" {
		return match.CrossReference{}, nil
	}
	weighting, err := match.ParseWeighting(opt.Weighting)
	if err != nil {
		return nil, fail(CodeBadArgument, "%v", err)
	}
	return weighting, nil
}
