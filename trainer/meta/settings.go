package meta

import (
	"fmt"

	"deepemd/solver"
	"deepemd/trainer/backbone"
	"deepemd/trainer/loop"
)

// Settings are all that a run of meta-training depends on, but for the data and
// the network that it begins with.
type Settings struct {
	loop.Settings
	Way      int `toml:"way"`
	Shot     int `toml:"shot"`
	Query    int `toml:"query"`    // of each class
	Episodes int `toml:"episodes"` // of an epoch

	// Layer is what the flow is differentiated by: "interior-l2", "interior-qp",
	// "sinkhorn", or "held", which does not.
	Layer   string  `toml:"layer"`
	Epsilon float64 `toml:"epsilon"` // of the layer's smoothing term; 0 for its own

	// Pyramid lists levels of a feature pyramid, as for the embedder: 5×5 nodes and
	// pyramid [2, 1] are the paper's P_feat(5,2,1).
	Pyramid []int `toml:"pyramid"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// Defaults are the settings of the paper: 5,000 episodes, 5-way 1-shot with 15
// queries of each class, SGD with a rate of 5e-4 that halves every 500 episodes.
func Defaults() Settings {
	return Settings{
		Settings: loop.Settings{
			Name: "resnet12", Stages: []loop.Stage{{Epochs: 50, Size: 84, Batch: 80}},
			Rate: 5e-4, Schedule: "halving", HalveEvery: 500, Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5,
			ValidateEvery: 5, ValidationEpisodes: 300, Precision: backbone.Auto, Seed: 1,
		},
		Way: 5, Shot: 1, Query: 15, Episodes: 100, Layer: "interior-l2",
	}
}

// layer returns how to make a layer of the settings.
func (s *Settings) layer() (func() solver.Layer, error) {
	switch s.Layer {
	case "interior-l2":
		return func() solver.Layer { return &solver.Interior{Epsilon: s.Epsilon} }, nil
	case "interior-qp":
		return func() solver.Layer { return &solver.Interior{Form: solver.QP, Epsilon: s.Epsilon} }, nil
	case "sinkhorn":
		return func() solver.Layer { return &solver.Sinkhorn{Strength: s.Epsilon} }, nil
	case "held":
		return func() solver.Layer { return &solver.Held{} }, nil
	}
	return nil, fmt.Errorf("layer %q: use interior-l2, interior-qp, sinkhorn or held", s.Layer)
}

// Check returns an error that names the first setting that makes no sense.
func (s *Settings) Check() error {
	if _, err := s.layer(); err != nil {
		return err
	}
	if err := loop.CheckRanges([]loop.Range{
		{Name: "way", Value: float64(s.Way), From: 2, To: 1000}, {Name: "shot", Value: float64(s.Shot), From: 1, To: 1000},
		{Name: "query", Value: float64(s.Query), From: 1, To: 1000}, {Name: "episodes", Value: float64(s.Episodes), From: 1, To: 1e6},
		{Name: "epsilon", Value: s.Epsilon, To: 1e3},
	}); err != nil {
		return err
	}
	for _, level := range s.Pyramid {
		if level < 1 || level > maxLevel {
			return fmt.Errorf("pyramid level %d: want 1 to %d", level, maxLevel)
		}
	}
	return s.Settings.Check()
}

// maxLevel bounds a pyramid's levels, as the embedder does.
const maxLevel = 32
