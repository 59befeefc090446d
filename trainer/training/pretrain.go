package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// Pretrain are the settings of pre-training.
type Pretrain struct {
	Pictures
	learn.ClassifySettings
	Init    string `toml:"init"`    // the initial network; empty for random weights
	Teacher string `toml:"teacher"` // networks to distill, separated by commas; optional
	// Unlabeled are data without labels, for a teacher of maps.
	Unlabeled []string       `toml:"unlabeled"`
	Augment   augment.Policy `toml:"augment"`
}

// NewPretrain returns the defaults, without sizes of the stages: see [Pretrain.Prepare].
func NewPretrain() *Pretrain {
	s := &Pretrain{ClassifySettings: learn.ClassifyDefaults(), Augment: augment.Policy{
		MinArea: 0.35, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4,
	}}
	s.Stages[0].Size = 0
	return s
}

// Prepare prepares the run, which the ranks of the context's group (cluster.Of) share. Widths,
// normalization and unset sizes are taken from the initial network, if there is one. Without one,
// unset sizes are 32 pixels. Stages without a batch have the default one.
//
// # Errors
//
// Invalid settings, or different settings on the ranks; an unreadable network or image; a canceled
// context.
func (s *Pretrain) Prepare(ctx context.Context, w Reporter) (ready *Prepared, err error) {
	var begin *weights.File
	defaults := learn.ClassifyDefaults().Stages[0]
	size := defaults.Size
	if s.Init != "" {
		if begin, err = w.begin(s.Init); err != nil {
			return nil, err
		}
		if s.Plan, err = backbone.Of(begin); err != nil {
			return nil, err
		}
		s.Mean, s.Std, size = begin.Meta.Mean, begin.Meta.Std, begin.Meta.InputSize
	}
	for i := range s.Stages {
		s.Stages[i].Size, s.Stages[i].Batch = cmp.Or(s.Stages[i].Size, size), cmp.Or(s.Stages[i].Batch, defaults.Batch)
	}
	group := cluster.Of(ctx)
	share := func(stage learn.Stage) int { return (stage.Batch + group.Size() - 1) / group.Size() }
	card, err := openCard(&s.Settings, group, w, func() error { return s.CheckNetwork(s.Plan, share) })
	if err != nil {
		return nil, err
	}
	wrong := errors.Join(s.Check(), s.Augment.Check())
	if err := cmp.Or(wrong, errors.Join(s.CheckRanks(group.Size()), sameSettings(group, s)), s.CheckNetwork(s.Plan, share)); err != nil {
		return nil, err
	}
	var maps *netfile.Network
	switch {
	case s.MapWeight > 0:
		if maps, err = s.teacherOfMaps(w); err != nil {
			return nil, fmt.Errorf("the teacher: %w", err)
		}
	case len(s.Unlabeled) > 0:
		return nil, errors.New("images without labels need a teacher of maps: name one with --teacher, and set map_weight")
	}
	pictures, err := s.open(ctx, w, &s.Settings, embed.FCN{}, s.Unlabeled...)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			pictures.set.Close()
		}
	}()
	source, err := learn.NewPictures(pictures.set, pictures.classes, &s.ClassifySettings, s.Augment)
	if err != nil {
		return nil, err
	}
	source.Group = group
	knows := weights.Meta{
		Name: s.Name, Mean: s.Mean, Std: s.Std, Classes: pictures.classes,
		TrainedOn: fmt.Sprintf("%s, %s", pictures.set.Name(), plural.Count(len(pictures.classes), "class", "classes")),
	}
	if begin != nil {
		knows.Classes, knows.Assumed = netfile.Union(begin.Meta.Classes, pictures.classes), begin.Meta.Assumed
		if begin.Meta.TrainedOn != "" {
			knows.TrainedOn = begin.Meta.TrainedOn + ", then " + knows.TrainedOn
		}
	}
	if s.Teacher != "" && maps == nil {
		if source.Targets, err = s.targets(ctx, w, pictures, &knows); err != nil {
			return nil, err
		}
	}
	net, err := build(s.Plan, &s.Settings, card, begin)
	if err != nil {
		return nil, err
	}
	model := learn.NewClassifier(&s.ClassifySettings, net, len(pictures.classes))
	if maps != nil {
		teacher, _, err := encoder(ctx, &s.Settings, maps.File) // to the end
		if err != nil {
			return nil, err
		}
		channels, err := s.channelsOf(teacher)
		if err != nil {
			return nil, err
		}
		model.Teach(teacher, channels)
		if begin != nil {
			model.Resume(begin)
		}
		source.Shown = &imaging.Preprocess{Mean: maps.Meta.Mean, Std: maps.Meta.Std}
		knows.Classes = netfile.Union(knows.Classes, maps.Meta.Classes)
		knows.TrainedOn += ", taught the maps of " + maps.Meta.Name
	}
	return &Prepared{&Trainer{
		Settings: &s.Settings, Learner: model, Source: source, Validate: pictures.validate, Pictures: pictures.skip, Meta: knows, Group: group,
	}, pictures.set}, nil
}

// teacherOfMaps reads the teacher, without pooling its map to a grid, and sets unset sizes of its
// input.
func (s *Pretrain) teacherOfMaps(w Reporter) (*netfile.Network, error) {
	if s.Teacher == "" {
		return nil, fmt.Errorf("map_weight is %g, but no --teacher provides maps: set it to 0, or name such a teacher", s.MapWeight)
	}
	n, err := w.read("the teacher: ", s.Teacher, false)
	if err != nil {
		return nil, err
	}
	delete(n.Meta.Extra, core.KeyGrid)
	for i := range s.Stages {
		s.Stages[i].Teacher = cmp.Or(s.Stages[i].Teacher, n.Meta.InputSize)
	}
	return n, nil
}

// channelsOf returns the number of channels of a teacher's maps. It returns an error for the first stage
// whose images the teacher rejects.
func (s *Pretrain) channelsOf(teacher embed.Encoder) (channels int, err error) {
	for i, stage := range s.Stages {
		maps, err := teacher.Forward(tensor.New(1, stage.Teacher, stage.Teacher, 3))
		if err != nil {
			return 0, fmt.Errorf("stage %d: teacher = %d: %w", i+1, stage.Teacher, err)
		}
		channels = maps.Shape[3]
	}
	return channels, nil
}
