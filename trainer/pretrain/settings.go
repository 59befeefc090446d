package pretrain

import (
	"fmt"

	"deepemd/core/resnet"
	"deepemd/trainer/optim"
)

// Stage is a part of a run with one size of pictures: small ones first make
// progress in a fraction of the time.
type Stage struct {
	Epochs int `toml:"epochs"`
	Size   int `toml:"size"` // side of the network's input in pixels
	Batch  int `toml:"batch"`
}

// Settings are all that a run depends on, but for the data themselves.
type Settings struct {
	Name   string  `toml:"name"`   // of the weights
	Widths []int   `toml:"widths"` // channels of the four blocks
	Stages []Stage `toml:"stages"`

	Rate        float64 `toml:"rate"`     // the highest learning rate
	Schedule    string  `toml:"schedule"` // step, cosine or one-cycle
	WarmUp      int     `toml:"warm_up"`  // steps
	Momentum    float64 `toml:"momentum"`
	Nesterov    bool    `toml:"nesterov"`
	WeightDecay float64 `toml:"weight_decay"`
	Clip        float64 `toml:"clip"` // largest norm of the gradient; 0 for any

	LabelSmoothing float64 `toml:"label_smoothing"`
	Dropout        float64 `toml:"dropout"`    // of the pooled features
	DropBlock      float64 `toml:"drop_block"` // of the last two blocks
	// RotationWeight is the share of the auxiliary task in the loss; 0 leaves it out.
	RotationWeight float64 `toml:"rotation_weight"`
	// Average is the decay of the moving average of weights; 0 for none.
	Average float64 `toml:"average"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`

	// ValidateEvery is in epochs; 0 validates at the end only.
	ValidateEvery      int `toml:"validate_every"`
	ValidationEpisodes int `toml:"validation_episodes"`

	Seed    uint64 `toml:"seed"`
	Threads int    `toml:"threads"` // 0 for all cores
}

// Defaults are the settings of the reference's pre-training (design: SGD 0.1,
// momentum 0.9, Nesterov, weight decay 5e-4), with one cycle and rotation.
func Defaults() Settings {
	return Settings{
		Name: "resnet12", Widths: []int{64, 160, 320, 640},
		Stages: []Stage{{Epochs: 20, Size: 32, Batch: 64}},
		Rate:   0.1, Schedule: "one-cycle", Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5,
		RotationWeight: 0.5, Average: 0.999,
		Mean: [3]float32{0.5071, 0.4866, 0.4409}, Std: [3]float32{0.2009, 0.1984, 0.2023},
		ValidateEvery: 1, ValidationEpisodes: 300, Seed: 1,
	}
}

// Check returns an error that names the first setting that makes no sense.
func (s *Settings) Check() error {
	if len(s.Widths) != resnet.Blocks {
		return fmt.Errorf("widths %v: want %d, one for each block", s.Widths, resnet.Blocks)
	}
	for _, w := range s.Widths {
		if w <= 0 {
			return fmt.Errorf("widths %v: want positive ones", s.Widths)
		}
	}
	if len(s.Stages) == 0 {
		return fmt.Errorf("no stages: want at least one, with epochs, size and batch")
	}
	for i, stage := range s.Stages {
		switch {
		case stage.Epochs <= 0:
			return fmt.Errorf("stage %d: %d epochs, want at least 1", i+1, stage.Epochs)
		case stage.Size < resnet.MinSize:
			return fmt.Errorf("stage %d: pictures of %d pixels, a ResNet-12 needs at least %d", i+1, stage.Size, resnet.MinSize)
		case stage.Batch < 2:
			return fmt.Errorf("stage %d: batches of %d, batch normalisation needs at least 2", i+1, stage.Batch)
		}
	}
	for _, c := range []struct {
		name     string
		value    float64
		from, to float64
	}{
		{"rate", s.Rate, 1e-9, 100}, {"momentum", s.Momentum, 0, 0.9999}, {"weight_decay", s.WeightDecay, 0, 1},
		{"clip", s.Clip, 0, 1e9}, {"label_smoothing", s.LabelSmoothing, 0, 0.99}, {"dropout", s.Dropout, 0, 0.99},
		{"drop_block", s.DropBlock, 0, 0.99}, {"rotation_weight", s.RotationWeight, 0, 100}, {"average", s.Average, 0, 0.999999},
		{"warm_up", float64(s.WarmUp), 0, 1e9}, {"validate_every", float64(s.ValidateEvery), 0, 1e9},
		{"validation_episodes", float64(s.ValidationEpisodes), 1, 1e6}, {"threads", float64(s.Threads), 0, 4096},
	} {
		if !(c.value >= c.from && c.value <= c.to) {
			return fmt.Errorf("%s is %g, want it from %g to %g", c.name, c.value, c.from, c.to)
		}
	}
	for _, std := range s.Std {
		if std <= 0 {
			return fmt.Errorf("std %v: want positive ones", s.Std)
		}
	}
	_, err := optim.Named(s.Schedule)
	return err
}
