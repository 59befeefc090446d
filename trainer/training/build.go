package training

import (
	"github.com/deepemd/deepemd/core/weights"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// build makes the network of a plan, with the weights of a file unless it is nil.
func build(plan backbone.Plan, s *learn.Settings, dropBlock float64, begin *weights.File) (*backbone.Network, error) {
	mixed, _, err := backbone.Precision(s.Precision)
	if err != nil {
		return nil, err
	}
	net, err := plan.Build(s.Seed, backbone.Options{Threads: s.Threads, DropBlock: dropBlock, Mixed: mixed})
	if err != nil {
		return nil, err
	}
	if begin != nil {
		if err := net.Import(begin); err != nil {
			return nil, err
		}
	}
	return net, nil
}
