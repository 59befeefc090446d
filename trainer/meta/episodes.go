package meta

import (
	"context"
	"math/rand/v2"

	"deepemd/core/imaging"
	"deepemd/trainer/augment"
	"deepemd/trainer/data"
	"deepemd/trainer/loop"
)

// Episodes is a [loop.Source] of episodes of some classes of a data set, their
// pictures varied at random.
type Episodes struct {
	set      *data.Set
	sampler  *data.Sampler
	policy   augment.Policy
	settings *Settings
}

// NewEpisodes returns a source of episodes of the classes.
//
// # Errors
//
// Those of [data.NewSampler].
func NewEpisodes(set *data.Set, classes []string, s *Settings, policy augment.Policy) (*Episodes, error) {
	sampler, err := data.NewSampler(set, classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	return &Episodes{set: set, sampler: sampler, policy: policy, settings: s}, nil
}

// Steps implements [loop.Source].
func (e *Episodes) Steps(loop.Stage) int { return e.settings.Episodes }

// Batches implements [loop.Source].
func (e *Episodes) Batches(ctx context.Context, stage loop.Stage, epoch, from int) (func() (loop.Batch, error), func()) {
	s := e.settings
	return loop.Ahead(ctx, from, s.Episodes, func(number int) (b loop.Batch, err error) {
		episode := e.sampler.Episode(epoch*s.Episodes + number)
		names := append(append([]string(nil), episode.Support...), episode.Query...)
		b.Images, err = loop.Images(len(names), stage.Size, s.Mean, s.Std, s.Threads, func(i int) (*imaging.Image, error) {
			img, err := e.set.Image(names[i])
			if err != nil {
				return nil, err
			}
			r := rand.New(rand.NewPCG(s.Seed+uint64(epoch)<<32, uint64(number)<<16|uint64(i)))
			return e.policy.Apply(img, stage.Size, r), nil
		})
		b.Labels = make([]int, len(episode.Query))
		for i := range b.Labels {
			b.Labels[i] = i % s.Way
		}
		return b, err
	})
}
