package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Stage is a part of a run with one image size. Smaller images come first because they take a
// fraction of the time.
type Stage struct {
	Epochs int `toml:"epochs"`
	// Size is the side of the network's input in pixels; if it is unset, that of the initial network.
	Size int `toml:"size"`
	// Batch is the number of images of a step in pre-training. In meta-training, episodes determine it.
	Batch int `toml:"batch,omitzero"`
	// Teacher is the side of the images for a teacher of maps; 0 for the teacher's own.
	Teacher int `toml:"teacher"`
}

// Settings are the settings of all kinds of training.
type Settings struct {
	Name   string  `toml:"name"` // of the weights
	Stages []Stage `toml:"stages"`

	Rate     float64 `toml:"rate"`     // the highest learning rate
	Schedule string  `toml:"schedule"` // cosine, one-cycle, flat or halving
	// HalveEvery is the number of steps after which the schedule "halving" halves the rate.
	HalveEvery  int     `toml:"halve_every"`
	WarmUp      int     `toml:"warm_up"` // steps
	Momentum    float64 `toml:"momentum"`
	Nesterov    bool    `toml:"nesterov"`
	WeightDecay float64 `toml:"weight_decay"`
	Clip        float64 `toml:"clip"` // limit of the gradient's norm; 0 disables it
	// FreezeStatistics normalizes with the initial network's statistics instead of each batch's.
	FreezeStatistics bool `toml:"freeze_statistics"`
	// Average is the decay of the moving average of weights; 0 disables it.
	Average float64 `toml:"average"`

	// ValidateEvery is in epochs; 0 validates only at the end.
	ValidateEvery      int `toml:"validate_every"`
	ValidationEpisodes int `toml:"validation_episodes"`

	// Precision of activations in training: float32, bfloat16 (with sums in float32), or auto:
	// bfloat16 if the processor has instructions for it. A run's saved settings have the resolved
	// value.
	Precision string `toml:"precision"`

	// Device is cpu, an NVIDIA card (cuda:0), or auto: the first card if there is one.
	Device string `toml:"device"`
	// CardMemory is the memory in bytes of the card that a run uses, or 0.
	CardMemory int64 `toml:"-"`

	Seed    uint64 `toml:"seed"`
	Threads int    `toml:"threads"` // 0 for all cores

	// Statistics of batch normalization are synchronized over the whole batch, or separate for each
	// rank. It and the following settings are for several processes (package cluster).
	Statistics string `toml:"statistics"`
	// Gradients are sent as float32, or as bfloat16 in half the bytes; the rounding error of a step
	// is added to the next.
	Gradients string `toml:"gradients"`
}

// WithoutStages removes the stages before TOML is decoded into the settings, because its stages would
// take missing values from them. It returns their number, and restore for a document without stages.
func (s *Settings) WithoutStages() (number int, restore func()) {
	stages := s.Stages
	s.Stages = nil
	return len(stages), func() { s.Stages = stages }
}

// Values of Settings.Statistics.
const (
	Synchronized = "synchronized"
	EachRank     = "rank"
)

// RateSchedule returns the schedule of the settings.
func (s *Settings) RateSchedule() (schedule backbone.Schedule, err error) {
	schedule, err = backbone.ParseSchedule(s.Schedule, s.HalveEvery)
	if err == nil && s.WarmUp > 0 {
		schedule = backbone.WarmUp(s.WarmUp, schedule)
	}
	return schedule, err
}

// Range is a setting with its valid range.
type Range struct {
	Name     string
	Value    float64
	From, To float64
}

// CheckRanges returns an error that names the first setting out of its range.
func CheckRanges(ranges []Range) error {
	for _, r := range ranges {
		if !(r.Value >= r.From && r.Value <= r.To) {
			return fmt.Errorf("%s is %g, want it from %g to %g", r.Name, r.Value, r.From, r.To)
		}
	}
	return nil
}

// Limits of a stage, to detect typing errors.
const (
	maxEpochs = 1_000_000
	maxBatch  = 1 << 16
)

// check returns an error that names the first invalid value.
func (s Stage) check() error {
	switch {
	case s.Epochs <= 0:
		return fmt.Errorf("%d epochs, want at least 1", s.Epochs)
	case s.Epochs > maxEpochs:
		return fmt.Errorf("%d epochs, want %d at most", s.Epochs, maxEpochs)
	case s.Size == 0:
		return errors.New("no size: set one, or start from a network that has one with --init")
	case s.Size < core.MinSize:
		return fmt.Errorf("images of %[1]d×%[1]d pixels, want at least %[2]d", s.Size, core.MinSize)
	case s.Size > weights.MaxInputSize:
		return fmt.Errorf("images of %d pixels: want %d at most; one alone would take %s of memory", s.Size, weights.MaxInputSize, s.memory(1))
	case s.Teacher < 0 || s.Teacher > weights.MaxInputSize:
		return fmt.Errorf("images of %d pixels for the teacher: want %d at most, or 0 for its own size", s.Teacher, weights.MaxInputSize)
	}
	return nil
}

// checkBatch returns an error for an invalid number of images.
func (s Stage) checkBatch() error {
	switch {
	case s.Batch < 2:
		return fmt.Errorf("batch of %d, batch normalization needs at least 2", s.Batch)
	case s.Batch > maxBatch:
		return fmt.Errorf("batch of %d: want %d at most; its images alone would take %s of memory", s.Batch, maxBatch, s.memory(s.Batch))
	}
	return nil
}

// memory is the size of a number of images as network inputs.
func (s Stage) memory(images int) string {
	return plural.Bytes(float64(images) * float64(s.Size) * float64(s.Size) * 3 * 4)
}

// checkStages returns the first error of check for a stage, with its number.
func (s *Settings) checkStages(check func(Stage) error) error {
	for i, stage := range s.Stages {
		if err := check(stage); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
	}
	return nil
}

// Check resolves the precision auto for this machine, so that a run that is resumed elsewhere continues
// with the same precision; runs without the setting use float32. It returns an error that names the first
// invalid setting.
func (s *Settings) Check() error {
	var precision error
	s.Precision, precision = device.Precision(cmp.Or(s.Precision, device.Float32), s.CardMemory > 0)
	_, schedule := s.RateSchedule()
	return cmp.Or(s.checkStages(Stage.check), s.checkChoices(), precision, schedule, CheckRanges([]Range{
		{"rate", s.Rate, 1e-9, 100}, {"momentum", s.Momentum, 0, 0.9999}, {"weight_decay", s.WeightDecay, 0, 1},
		{"clip", s.Clip, 0, 1e9}, {"average", s.Average, 0, 0.999999}, {"warm_up", float64(s.WarmUp), 0, 1e9},
		{"validate_every", float64(s.ValidateEvery), 0, 1e9}, {"validation_episodes", float64(s.ValidationEpisodes), 1, 1e5},
		{"threads", float64(s.Threads), 0, 4096},
	}))
}

// checkChoices returns an error for the first setting with none of its values.
func (s *Settings) checkChoices() error {
	switch {
	case len(s.Stages) == 0:
		return errors.New("no stages: want at least one, with epochs and size")
	case s.Seed > math.MaxInt64: // settings files have int64, and read −1 as this
		return fmt.Errorf("seed is %d, want it from 0 to %d", int64(s.Seed), math.MaxInt64)
	case s.Statistics != Synchronized && s.Statistics != EachRank:
		return fmt.Errorf("statistics is %q: use %q or %q", s.Statistics, Synchronized, EachRank)
	case s.Gradients != device.Float32 && s.Gradients != device.BFloat16:
		return fmt.Errorf("gradients is %q: use %q or %q", s.Gradients, device.Float32, device.BFloat16)
	}
	return nil
}

// CheckRanks returns an error for a stage whose batches are too small for the number of ranks.
func (s *Settings) CheckRanks(ranks int) error {
	if ranks == 1 {
		return nil
	}
	least := 1
	if s.Statistics == EachRank && !s.FreezeStatistics {
		least = 2
	}
	for i, stage := range s.Stages {
		if stage.Batch/ranks < least {
			return fmt.Errorf("stage %d: a batch of %s among %d ranks, want at least %d for each: use a larger batch, or fewer ranks", i+1, plural.Count(stage.Batch, "image", "images"), ranks, least)
		}
	}
	return nil
}

// CheckNetwork returns an error for a network that certainly needs more memory than the machine has. The
// system would kill such a run without a message. atOnce returns the number of images per pass of a stage.
func (s *Settings) CheckNetwork(plan backbone.Plan, atOnce func(Stage) int) error {
	if s.CardMemory > 0 {
		return s.fit(plan, atOnce, s.CardMemory, "the card")
	}
	where := "this machine"
	if cluster.Neighbors() > 1 {
		where = "each rank on this machine"
	}
	return s.fit(plan, atOnce, cluster.Memory(), where)
}

// fit checks the memory of a machine or card with the given number of bytes; 0 if unknown.
func (s *Settings) fit(plan backbone.Plan, atOnce func(Stage) int, have int64, where string) error {
	if have == 0 {
		return nil
	}
	mixed := s.Precision == device.BFloat16 || s.Precision == device.Auto && s.CardMemory > 0
	for i, stage := range s.Stages {
		n := atOnce(stage)
		need := plan.Memory(stage.Size, n, mixed)
		if need > float64(have) {
			return fmt.Errorf("stage %d: %v with %s of %d pixels at once take at least %s of memory, %s has %s: use narrower widths, smaller images or smaller batches",
				i+1, plan, plural.Count(n, "image", "images"), stage.Size, plural.Bytes(need), where, plural.Bytes(float64(have)))
		}
	}
	return nil
}
