package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// Meta are the settings of meta-training.
type Meta struct {
	Pictures
	learn.EpisodeSettings
	Init    string         `toml:"init"` // the initial network
	Augment augment.Policy `toml:"augment"`
}

// NewMeta returns the defaults. The input size defaults to the network's own.
func NewMeta() *Meta {
	s := &Meta{EpisodeSettings: learn.EpisodeDefaults(), Augment: augment.Policy{MinArea: 0.5, Flip: true, Brightness: 0.2, Contrast: 0.2, Saturation: 0.2}}
	s.Stages[0].Size = 0
	return s
}

// ErrNoInit is the error of Meta.Prepare without an initial network.
var ErrNoInit = errors.New("--init is missing: give the pre-trained network to start from")

// Prepare prepares the run, which the ranks of the context's group (cluster.Of) share. Unset sizes
// and normalization are taken from the initial network.
//
// # Errors
//
// ErrNoInit; invalid settings; an unreadable network or image; a canceled context.
func (s *Meta) Prepare(ctx context.Context, w Reporter) (ready *Prepared, err error) {
	if s.Init == "" {
		return nil, ErrNoInit
	}
	file, err := w.begin(s.Init)
	if err != nil {
		return nil, err
	}
	plan, err := backbone.Of(file)
	if err != nil {
		return nil, err
	}
	assumed := s.setUnset(file.Meta)
	group := cluster.Of(ctx)
	together := func(learn.Stage) int { return s.TogetherInputs() }
	card, err := openCard(&s.Settings, group, w, func() error { return s.CheckNetwork(plan, together) })
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(errors.Join(s.Check(), s.Augment.Check()), sameSettings(group, s), s.CheckNetwork(plan, together)); err != nil {
		return nil, err
	}
	if s.MetaBatch%group.Size() != 0 {
		return nil, fmt.Errorf("meta_batch is %d: want a multiple of the %d ranks, which share the episodes of a step equally", s.MetaBatch, group.Size())
	}
	embedder, err := learner.AllParts().Embedder(s.Validation())
	if err != nil {
		return nil, err
	}
	pictures, err := s.open(ctx, w, &s.Settings, embedder)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			pictures.set.Close()
		}
	}()
	source, err := learn.NewEpisodes(pictures.set, pictures.classes, &s.EpisodeSettings, s.Augment)
	if err != nil {
		return nil, err
	}
	source.Group = group
	net, err := build(plan, &s.Settings, card, file)
	if err != nil {
		return nil, err
	}
	learner, err := learn.NewMatcher(&s.EpisodeSettings, net)
	if err != nil {
		return nil, err
	}
	knows := fmt.Sprintf("episodes of %s, %d classes", pictures.set.Name(), len(pictures.classes))
	if file.Meta.TrainedOn != "" {
		knows = file.Meta.TrainedOn + ", then " + knows
	}
	return &Prepared{&Trainer{
		Settings: &s.Settings, Learner: learner, Source: source, Validate: pictures.validate, Pictures: pictures.skip, Group: group,
		Meta: weights.Meta{
			Name: s.Name, Mean: s.Mean, Std: s.Std, Assumed: assumed, Classes: netfile.Union(file.Meta.Classes, pictures.classes),
			TrainedOn: knows,
		},
	}, pictures.set}, nil
}

// setUnset takes unset values from the initial network. It returns the values that the network's file
// assumes.
func (s *Meta) setUnset(m weights.Meta) (assumed []string) {
	for i := range s.Stages {
		s.Stages[i].Size = cmp.Or(s.Stages[i].Size, m.InputSize)
	}
	if s.Std == ([3]float32{}) {
		s.Mean, s.Std = m.Mean, m.Std
	}
	if s.Mean != m.Mean || s.Std != m.Std { // the settings override the network's values
		return nil
	}
	return m.Assumed
}
