package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/cluster"
	"github.com/deepemd/deepemd/trainer/format/netfile"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/augment"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

// Pretrain is what a run of pre-training depends on.
type Pretrain struct {
	Pictures
	pretrain.Settings
	Init    string         `toml:"init"`    // the network to begin with; empty for random weights
	Teacher string         `toml:"teacher"` // the networks to learn from, beside the labels, with commas between; empty for none
	Augment augment.Policy `toml:"augment"`
}

// NewPretrain returns the defaults.
func NewPretrain() *Pretrain {
	return &Pretrain{Settings: pretrain.Defaults(), Augment: augment.Policy{
		MinArea: 0.35, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4,
	}}
}

// Prepare makes the run ready, for the ranks of the context's group (cluster.Of) to share. Widths and normalisation become those of the network
// that it begins with.
//
// # Errors
//
// Settings that make no sense, or differ from rank to rank, a network or pictures that cannot be read; a context
// that is cancelled.
func (s *Pretrain) Prepare(ctx context.Context, w Work) (ready *Ready, err error) {
	var begin *weights.File
	if s.Init != "" {
		if begin, err = w.begin(s.Init); err != nil {
			return nil, err
		}
		if s.Plan, err = backbone.Of(begin); err != nil {
			return nil, err
		}
		s.Mean, s.Std = begin.Meta.Mean, begin.Meta.Std
	}
	if err := errors.Join(s.Check(), s.Augment.Check()); err != nil {
		return nil, err
	}
	group := cluster.Of(ctx)
	if err := errors.Join(s.CheckRanks(group.Size()), sameSettings(group, s)); err != nil {
		return nil, err
	}
	share := func(stage training.Stage) int { return (stage.Batch + group.Size() - 1) / group.Size() }
	if err := s.CheckNetwork(s.Plan, share); err != nil {
		return nil, err
	}
	pictures, err := s.open(ctx, w, &s.Settings.Settings, embed.FCN{})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			pictures.set.Close()
		}
	}()
	source, err := pretrain.NewPictures(pictures.set, pictures.classes, &s.Settings, s.Augment)
	if err != nil {
		return nil, err
	}
	source.Group = group
	if s.Teacher != "" {
		if source.Targets, err = s.targets(ctx, w, pictures); err != nil {
			return nil, err
		}
	}
	net, err := build(s.Plan, &s.Settings.Settings, s.DropBlock, begin)
	if err != nil {
		return nil, err
	}
	knows := weights.Meta{
		Name: s.Name, Mean: s.Mean, Std: s.Std, Classes: pictures.classes,
		TrainedOn: fmt.Sprintf("%s, %d classes", pictures.set.Name(), len(pictures.classes)),
	}
	if begin != nil {
		knows.Classes, knows.Assumed = netfile.Union(begin.Meta.Classes, pictures.classes), begin.Meta.Assumed
		if begin.Meta.TrainedOn != "" {
			knows.TrainedOn = begin.Meta.TrainedOn + ", then " + knows.TrainedOn
		}
	}
	return &Ready{&training.Trainer{
		Settings: &s.Settings.Settings, Learner: pretrain.NewModel(&s.Settings, net, len(pictures.classes)), Source: source, Validate: pictures.validate, Pictures: pictures.skip, Meta: knows, Group: group,
	}, pictures.set}, nil
}
