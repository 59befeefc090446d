package learn

import (
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Settings are all that a run depends on, but for the data themselves.
type ClassifySettings struct {
	Settings
	backbone.Plan

	LabelSmoothing float64 `toml:"label_smoothing"`
	Dropout        float64 `toml:"dropout"`    // of the pooled features
	DropBlock      float64 `toml:"drop_block"` // of the last two blocks
	// RotationWeight is the share of the auxiliary task in the loss; 0 leaves it out.
	RotationWeight float64 `toml:"rotation_weight"`
	// TurnedClasses has turned pictures teach their class too, not rotation alone, as
	// in Mangla et al., "Charting the Right Manifold" (2020), and Rajasegaran et al.,
	// "Self-supervised Knowledge Distillation for Few-shot Learning" (2020).
	TurnedClasses bool `toml:"turned_classes"`

	// Mixup is the parameter of the Beta distribution from which shares of blended pictures
	// are drawn; 0 blends none. Each batch then passes through the network twice, plain and
	// blended in the pictures or behind one of the first blocks, and both losses count (Bendou
	// et al., "EASY: Ensemble Augmented-Shot Y-shaped Learning", 2022, who have 2).
	Mixup float64 `toml:"mixup"`

	// TeacherWeight is the share of the teacher in the loss of classes, where there is
	// one, and TeacherTemperature what softens what it says and the answers to it, as in
	// Tian et al., "Rethinking Few-Shot Image Classification" (2020).
	TeacherWeight      float64 `toml:"teacher_weight"`
	TeacherTemperature float64 `toml:"teacher_temperature"`

	// MapWeight is the weight of the loss of a teacher's maps; the loss of the classes has weight
	// 1. With 0 a teacher teaches similarities of classes instead.
	MapWeight float64 `toml:"map_weight"`

	// EpochPictures is the number of pictures of an epoch. Over several epochs all pictures come
	// up equally often. 0 stands for all pictures.
	EpochPictures int `toml:"epoch_pictures"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// Defaults are the settings of the reference's pre-training (design: SGD 0.1,
// momentum 0.9, Nesterov, weight decay 5e-4), with one cycle and rotation.
func ClassifyDefaults() ClassifySettings {
	return ClassifySettings{
		Settings: Settings{
			Name: "resnet12", Stages: []Stage{{Epochs: 20, Size: 32, Batch: 64}},
			Rate: 0.1, Schedule: "one-cycle", Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5, Average: 0.999,
			ValidateEvery: 1, ValidationEpisodes: 300, Precision: backbone.Auto, Seed: 1,
			Statistics: Synchronised, Gradients: backbone.Float32,
		},
		Plan:           backbone.Plan{Widths: []int{64, 160, 320, 640}},
		RotationWeight: 0.5,
		TeacherWeight:  0.5, TeacherTemperature: 4,
		Mean: [3]float32{0.5071, 0.4866, 0.4409}, Std: [3]float32{0.2009, 0.1984, 0.2023},
	}
}

// Check returns an error that names the first setting that makes no sense.
func (s *ClassifySettings) Check() error {
	if err := s.Plan.Check(); err != nil {
		return err
	}
	if err := CheckNormalisation(s.Mean, s.Std); err != nil {
		return err
	}
	if err := CheckRanges([]Range{
		{Name: "label_smoothing", Value: s.LabelSmoothing, To: 0.99}, {Name: "dropout", Value: s.Dropout, To: 0.99},
		{Name: "drop_block", Value: s.DropBlock, To: 0.99}, {Name: "rotation_weight", Value: s.RotationWeight, To: 100},
		{Name: "mixup", Value: s.Mixup, To: 100}, {Name: "teacher_weight", Value: s.TeacherWeight, To: 1}, {Name: "teacher_temperature", Value: s.TeacherTemperature, From: 0.01, To: 100},
		{Name: "map_weight", Value: s.MapWeight, To: 1e4}, {Name: "epoch_pictures", Value: float64(s.EpochPictures), To: 1e9},
	}); err != nil {
		return err
	}
	return s.Settings.Check()
}
