package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/emdlayer"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Matcher scores the queries of an episode for its classes. A batch holds the support, first all
// classes of the first shot, then of the second …, then the queries, whose i-th one belongs to class
// i mod way. With Grid and Sampling, the crops of an image are consecutive.
type Matcher struct {
	*encoder
	way, shot      int
	nodes, dnodes  []float32 // [pictures, nodes·channels]
	queries        int
	pairs          []pair
	prototypes     [][]float32 // [way][nodes·channels]
	dprototypes    [][]float32
	logits, dlogit []float32 // [queries, way]
}

// pair is a query with a class.
type pair struct {
	score    emdlayer.Score
	dsupport []float32
}

// NewMatcher returns a learner that trains a backbone.
func NewMatcher(s *EpisodeSettings, b *backbone.Network) (*Matcher, error) {
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		return nil, err
	}
	queries := s.Way * s.Query
	l := &Matcher{
		encoder: &encoder{nodes: nodesOf(embedder), atOnce: s.AtOnce, backbone: b},
		way:     s.Way, shot: s.Shot, queries: queries,
		pairs:      make([]pair, queries*s.Way),
		prototypes: make([][]float32, s.Way), dprototypes: make([][]float32, s.Way),
		logits: make([]float32, queries*s.Way), dlogit: make([]float32, queries*s.Way),
	}
	b.OnGradients(l.finished)
	for i := range l.pairs {
		if l.pairs[i].score.Layer, err = s.layer(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Params implements [Learner].
func (l *Matcher) Params() []*device.Param { return l.backbone.Params() }

// Gradients implements [Learner]. Loss and gradients are means over the episodes.
func (l *Matcher) Gradients(batch Batch, _ *rand.Rand) (mean Outcome, err error) {
	episodes := max(batch.Episodes, 1)
	share := 1 / float64(max(episodes, batch.Whole.Episodes))
	queries, i := len(batch.Labels)/episodes, 0
	for images := range batch.EpisodeImages() {
		one := Batch{Images: images, Labels: batch.Labels[i*queries:][:queries]}
		o, err := l.episode(one, share, i == 0, i == episodes-1)
		if err != nil {
			return mean, err
		}
		i++
		mean.Loss, mean.Accuracy = mean.Loss+share*o.Loss, mean.Accuracy+share*o.Accuracy
	}
	return mean, nil
}

// episode computes the loss of one episode and its share of the gradients, which are complete after
// the last episode.
func (l *Matcher) episode(batch Batch, share float64, first, last bool) (Outcome, error) {
	support := l.way * l.shot
	var nodes int
	l.nodes, nodes = l.forward(l.nodes, batch.Images)
	size := nodes * l.channels
	l.dnodes = slices.Grow(l.dnodes[:0], len(l.nodes))[:len(l.nodes)]
	picture := func(of []float32, i int) []float32 { return of[i*size:][:size] }

	for class := range l.prototypes {
		l.prototypes[class] = slices.Grow(l.prototypes[class][:0], size)[:size]
		clear(l.prototypes[class])
		for shot := range l.shot {
			for i, v := range picture(l.nodes, shot*l.way+class) {
				l.prototypes[class][i] += v / float32(l.shot)
			}
		}
	}
	err := l.eachPair(func(query, class int) error {
		p := &l.pairs[query*l.way+class]
		logit, err := p.score.Forward(picture(l.nodes, support+query), l.prototypes[class], nodes, nodes, l.channels)
		l.logits[query*l.way+class] = float32(logit)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	var o Outcome
	var correct int
	o.Loss, correct = backbone.CrossEntropy(l.dlogit, l.logits, batch.Labels, l.way, l.way, 0, share)
	o.Accuracy = float64(correct) / float64(l.queries)

	clear(l.dnodes)
	err = l.eachPair(func(query, class int) error {
		p := &l.pairs[query*l.way+class]
		p.dsupport = slices.Grow(p.dsupport[:0], size)[:size]
		clear(p.dsupport)
		return p.score.Backward(picture(l.dnodes, support+query), p.dsupport, float64(l.dlogit[query*l.way+class]))
	})
	if err != nil {
		return Outcome{}, err
	}
	// A class's gradients are added in the order of the queries.
	for class := range l.dprototypes {
		l.dprototypes[class] = slices.Grow(l.dprototypes[class][:0], size)[:size]
		sum := l.dprototypes[class]
		clear(sum)
		for query := range l.queries {
			kernel.AddTimes(sum, 1, l.pairs[query*l.way+class].dsupport)
		}
		for shot := range l.shot {
			dst := picture(l.dnodes, shot*l.way+class)
			for i, g := range sum {
				dst[i] = g / float32(l.shot)
			}
		}
	}
	l.backward(l.dnodes, batch.Images, first, last)
	return o, nil
}

// eachPair calls do for every query with every class, concurrently for different images,
// and returns the first error.
func (l *Matcher) eachPair(do func(query, class int) error) error {
	return concurrently(l.queries, l.backbone.Context().Threads, func(query int) error {
		for class := range l.way {
			if err := do(query, class); err != nil {
				return fmt.Errorf("query %d, class %d: %w", query+1, class+1, err)
			}
		}
		return nil
	})
}
