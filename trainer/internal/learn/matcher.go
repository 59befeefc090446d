package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/emdlayer"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Matcher scores the queries and strangers of an episode for its classes. A batch holds the
// support, first all classes of the first shot, then of the second …, then the queries, whose i-th
// one belongs to class i mod way, then the strangers, which have no label. With Grid and Sampling,
// the crops of an image are consecutive.
type Matcher struct {
	encoder        *encoder
	way, shot      int
	nodes, dnodes  []float32 // [pictures, nodes·channels]
	queries        int
	asked          int // queries and strangers
	margin         margin
	pairs          []pair
	prototypes     [][]float32 // [way][nodes·channels]
	dprototypes    [][]float32
	logits, dlogit []float32 // [asked, way]
}

// pair is a query or stranger with a class.
type pair struct {
	score    emdlayer.Score
	dsupport []float32
}

// NewMatcher returns a learner that trains a backbone.
func NewMatcher(s *EpisodeSettings, b *backbone.Network) (*Matcher, error) {
	makeLayer, err := s.layer()
	if err != nil {
		return nil, err
	}
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		return nil, err
	}
	asked := s.Way * (s.Query + s.Strangers)
	l := &Matcher{
		encoder: newEncoder(b, nodesOf(embedder), s.AtOnce),
		way:     s.Way, shot: s.Shot, queries: s.Way * s.Query, asked: asked,
		margin:     margin{by: s.StrangerMargin, weight: s.StrangerWeight},
		pairs:      make([]pair, asked*s.Way),
		prototypes: make([][]float32, s.Way), dprototypes: make([][]float32, s.Way),
		logits: make([]float32, asked*s.Way), dlogit: make([]float32, asked*s.Way),
	}
	for i := range l.pairs {
		l.pairs[i].score.Layer = makeLayer()
	}
	return l, nil
}

// OnGradients implements [Learner].
func (l *Matcher) OnGradients(done func(finished ...*device.Param)) { l.encoder.done = done }

// Backbone implements [Learner].
func (l *Matcher) Backbone() *backbone.Network { return l.encoder.backbone }

// Params implements [Learner].
func (l *Matcher) Params() []*device.Param { return l.encoder.backbone.Params() }

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
	support, inputs := l.way*l.shot, l.encoder.nodes.Inputs()
	if n, want := batch.Images.Shape[0], (support+l.asked)*inputs; n != want || len(batch.Labels) != l.queries {
		return Outcome{}, fmt.Errorf("an episode of %d images and %d queries, want %d and %d", n, len(batch.Labels), want, l.queries)
	}
	var nodes int
	l.nodes, nodes = l.encoder.forward(l.nodes, batch.Images)
	channels := l.encoder.channels
	size := nodes * channels
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
		logit, err := p.score.Forward(picture(l.nodes, support+query), l.prototypes[class], nodes, nodes, channels)
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
	o.Loss += l.margin.add(l.dlogit, l.logits, l.queries, l.way, share)

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
		for query := range l.asked {
			for i, g := range l.pairs[query*l.way+class].dsupport {
				sum[i] += g
			}
		}
		for shot := range l.shot {
			dst := picture(l.dnodes, shot*l.way+class)
			for i, g := range sum {
				dst[i] = g / float32(l.shot)
			}
		}
	}
	l.encoder.backward(l.dnodes, batch.Images, first, last)
	return o, nil
}

// eachPair calls do for every query and stranger with every class, concurrently for different images,
// and returns the first error.
func (l *Matcher) eachPair(do func(query, class int) error) error {
	return concurrently(l.asked, l.encoder.backbone.Context().Threads, func(query int) error {
		for class := range l.way {
			if err := do(query, class); err != nil {
				return fmt.Errorf("query %d, class %d: %w", query+1, class+1, err)
			}
		}
		return nil
	})
}

// margin trains strangers to score below queries. The score of an image is its energy, the log of
// the sum of the exponentials of its logits (Liu et al., "Energy-based Out-of-distribution
// Detection", 2020). The loss is the mean over all pairs of a query and a stranger of
//
//	log(1 + exp(by + energy of the stranger − energy of the query)),
//
// a smooth form of the share of pairs in the wrong order, which is 1 − AUROC.
type margin struct {
	by     float64 // in logits
	weight float64
}

// add returns the weighted loss of the logits [asked, way], whose first rows are queries and the
// others strangers, and adds a share of its gradient. Without strangers the loss is 0.
func (m margin) add(gradient, logits []float32, queries, way int, share float64) float64 {
	asked := len(logits) / way
	strangers := asked - queries
	if strangers == 0 {
		return 0
	}
	clear(gradient[queries*way:])
	energies, denergies := make([]float64, asked), make([]float64, asked)
	for i := range energies {
		energies[i] = energy(logits[i*way:][:way])
	}
	loss, each := 0.0, m.weight/float64(queries*strangers)
	for q := range queries {
		for s := queries; s < asked; s++ {
			short := m.by + energies[s] - energies[q]
			loss += each * softplus(short)
			slope := each / (1 + math.Exp(-short))
			denergies[s] += slope
			denergies[q] -= slope
		}
	}
	for i, d := range denergies {
		for c, v := range logits[i*way:][:way] {
			gradient[i*way+c] += float32(share * d * math.Exp(float64(v)-energies[i]))
		}
	}
	return loss
}

func energy(logits []float32) float64 {
	top := float64(logits[0])
	for _, v := range logits[1:] {
		top = max(top, float64(v))
	}
	sum := 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum)
}

// softplus is log(1 + exp(x)).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
