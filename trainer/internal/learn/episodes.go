package learn

import (
	"context"

	"math/rand/v2"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"

	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// Episodes is a [training.Source] of episodes of some classes of a data set, their
// pictures varied at random.
type Episodes struct {
	set      *data.Set
	classes  []string
	sampler  *data.Sampler
	embedder embed.Embedder
	policy   augment.Policy
	settings *EpisodeSettings

	// Group shares the episodes of every step among its ranks; nil for a process alone.
	Group cluster.Group
}

// NewEpisodes returns a source of episodes of the classes.
//
// # Errors
//
// Those of [data.NewSampler], strangers for whom too few classes are left, and an
// embedder that makes no sense.
func NewEpisodes(set *data.Set, classes []string, s *EpisodeSettings, policy augment.Policy) (*Episodes, error) {
	sampler, err := data.NewSampler(set, classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		return nil, err
	}
	e := &Episodes{set: set, classes: classes, sampler: sampler, embedder: embedder, policy: policy, settings: s}
	_, err = e.names(0) // whether there are strangers enough
	return e, err
}

// names are the pictures of an episode, in the order of a batch.
func (e *Episodes) names(number int) ([]string, error) {
	episode := e.sampler.Episode(number)
	names := append(append([]string(nil), episode.Support...), episode.Query...)
	if e.settings.Strangers == 0 {
		return names, nil
	}
	strangers, err := data.Strangers(e.set, e.classes, episode, e.settings.Way, e.settings.Strangers, e.settings.Seed, number)
	return append(names, strangers...), err
}

// Steps implements [training.Source].
func (e *Episodes) Steps(Stage) int { return e.settings.Episodes / e.settings.MetaBatch }

// Batches implements [training.Source].
func (e *Episodes) Batches(ctx context.Context, stage Stage, epoch, from int) (func() (Batch, error), func()) {
	s, group := e.settings, cluster.Or(e.Group)
	return Ahead(ctx, from, e.Steps(stage), func(step int) (b Batch, err error) {
		first, end := cluster.Share(group, s.MetaBatch)
		b.Episodes, b.Whole.Episodes = end-first, s.MetaBatch
		var names []string
		for i := first; i < end; i++ {
			episode, err := e.names(epoch*s.Episodes + step*s.MetaBatch + i)
			if err != nil {
				return b, err
			}
			names = append(names, episode...)
		}
		each, pictures := nodesOf(e.embedder).inputs(), s.pictures()
		b.Images, err = Crops(len(names), each, stage.Size, s.Mean, s.Std, s.Threads, func(i int) ([]*imaging.Image, error) {
			img, err := e.set.Image(names[i])
			if err != nil {
				return nil, err
			}
			number := step*s.MetaBatch + first + i/pictures // of the episode
			r := rand.New(rand.NewPCG(s.Seed+uint64(epoch)<<32, uint64(number)<<16|uint64(i%pictures)))
			return e.inputs(img, stage.Size, r), nil
		})
		b.Labels = make([]int, b.Episodes*s.Way*s.Query)
		for i := range b.Labels {
			b.Labels[i] = i % s.Way // way divides the queries of an episode
		}
		return b, err
	})
}

// inputs are the network's inputs of a picture, varied.
func (e *Episodes) inputs(img *imaging.Image, size int, r *rand.Rand) (inputs []*imaging.Image) {
	policy, pre := e.policy, imaging.Preprocess{Size: size}
	policy.MinArea, policy.Pad = 0, 0 // of crops, which are varied by themselves
	add := func(embedder embed.Embedder) {
		for _, crop := range embedder.Crops(pre, embedder.View(pre, img)) {
			inputs = append(inputs, policy.Apply(crop.Picture, size, r))
		}
	}
	switch embedder := e.embedder.(type) {
	case embed.Grid:
		for _, level := range embedder.Levels {
			add(embed.Grid{Levels: []int{level}, Ratio: 1 + 2*r.Float64()})
		}
	case embed.Sampling:
		policy.Flip = false
		add(embed.Sampling{Patches: embedder.Patches, Seed: r.Uint64()})
	default:
		inputs = append(inputs, e.policy.Apply(img, size, r))
	}
	return inputs
}
