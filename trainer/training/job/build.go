package job

import (
	core "github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/backbone"
)

// settle takes from a plan what settings leave to it: the precision and, where a run begins
// with a network other than a ResNet-12, its name.
//
// # Errors
//
// A precision that the plan's networks have not.
func settle(s *training.Settings, plan backbone.Plan, begin *weights.File) (err error) {
	if begin != nil && plan.Arch() != core.ArchResNet12 && begin.Meta.Name != "" && s.Name == core.ArchResNet12 {
		s.Name = begin.Meta.Name
	}
	s.Precision, err = backbone.PrecisionOf(plan, s.Precision)
	return err
}

// build makes the network of a plan, with the weights of a file unless it is nil.
func build(plan backbone.Plan, s *training.Settings, dropBlock float64, begin *weights.File) (backbone.Network, error) {
	mixed, _, err := backbone.Precision(s.Precision)
	if err != nil {
		return nil, err
	}
	net, err := plan.Build(s.Seed, backbone.Options{Threads: s.Threads, DropBlock: dropBlock, Mixed: mixed})
	if err != nil {
		return nil, err
	}
	if begin != nil {
		if err := backbone.Import(net, begin); err != nil {
			return nil, err
		}
	}
	return net, nil
}
