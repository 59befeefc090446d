package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Prototype represents each class by one set of nodes, the mean of its examples'
// sets, node by node, and scores a query by its match with that set. With one
// example a class it is DeepEMD's 1-shot classifier. With more, the structured
// fully connected layer starts from it (DeepEMD, section 3.5).
//
// The zero value is ready for use.
type Prototype struct {
	// Matcher matches queries with prototypes; its settings may be changed until
	// Fit.
	Matcher match.Matcher
	// Skip solves no match of a class that cannot win. The best class and its score
	// are exact; other scores may be upper bounds, see Detail.
	Skip bool
	// Balance makes up for different numbers of examples. The mean of many examples
	// is smoother than one picture and resembles any other more, which would give
	// large classes most of the answers; their scores are scaled down. Without
	// Balance, and for classes of the same size, scores are those of the reference.
	Balance bool

	supports supports
	means    []*average // by class

	rest         average // of ScoreWithout
	restPrepared match.Prepared
}

// Fit implements Classifier. All examples of a class must have the same number
// of nodes.
func (p *Prototype) Fit(classes []Class) error {
	p.means = p.means[:0]
	err := p.supports.prepare(&p.Matcher, classes, func(class Class) ([]*embed.Set, error) {
		m, err := averageOf(class)
		if err != nil {
			return nil, err
		}
		p.means = append(p.means, m)
		return []*embed.Set{&m.set}, nil
	})
	if err == nil {
		p.weigh()
	}
	return err
}

// weigh sets the scale of each class's scores: the root of how much rougher its
// mean would be if the class had as few examples as the smallest. The whole of that
// would be right if every node had one partner. But a match looks for the best
// partner, and finds more by chance among rough nodes than among smooth ones; this
// makes up for about half (measured: bench -only balance).
func (p *Prototype) weigh() {
	p.supports.scale = p.supports.scale[:0]
	if !p.Balance {
		return
	}
	fewest := p.means[0].count
	for _, m := range p.means {
		fewest = min(fewest, m.count)
	}
	for _, m := range p.means {
		p.supports.scale = append(p.supports.scale, scaleOf(m.roughness(fewest)))
	}
}

// Traits implements Classifier.
func (p *Prototype) Traits() Traits {
	return Traits{Extender: p, Detailer: p, Omitter: p, Leaver: p, Means: true}
}

// Fork implements Extender.
func (p *Prototype) Fork() Classifier {
	fork := p.fork()
	return &fork
}

func (p *Prototype) fork() Prototype {
	fork := *p
	fork.supports, fork.means = p.supports.fork(), slices.Clone(p.means)
	return fork
}

// Extend implements Extender. Forks keep the mean without the example.
func (p *Prototype) Extend(class int, example *embed.Set) error {
	prepared, err := p.supports.admit(&p.Matcher, class, example)
	if err != nil {
		return err
	}
	if class == len(p.means) {
		m := newAverage(example)
		p.means = append(p.means, m)
		p.supports.sets = append(p.supports.sets, []*match.Prepared{prepared})
		p.weigh()
		return nil
	}
	if want := p.means[class].set.N; example.N != want {
		return fmt.Errorf("fewshot: new example: %w: %d nodes, the class has %d: use one embedder, or the nearest classifier", ErrMixed, example.N, want)
	}
	m := p.means[class].clone()
	m.add(example)
	if prepared, err = p.Matcher.Prepare(&m.set); err != nil {
		return err
	}
	p.means[class], p.supports.sets[class] = m, []*match.Prepared{prepared}
	p.weigh()
	return nil
}

// Scores implements Classifier.
func (p *Prototype) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return p.scores(dst, query, nil)
}

// scores are Scores; with Skip, the class that wins is the one whose score is best with
// what something else adds to it, of each class, empty for nothing.
func (p *Prototype) scores(dst []float64, query *embed.Set, added []float64) ([]float64, error) {
	if p.Skip {
		return p.supports.best(&p.Matcher, dst, query, true, added)
	}
	return p.exact(dst, query)
}

// exact are Scores, none of them a bound.
func (p *Prototype) exact(dst []float64, query *embed.Set) ([]float64, error) {
	return p.supports.scores(&p.Matcher, dst, query, only)
}

// Detail implements Detailer. With Skip, Match has the same bounds as Scores.
func (p *Prototype) Detail(d *Detail, query *embed.Set) (err error) {
	d.Scores, err = p.Scores(d.Scores, query)
	d.Bounded, d.Match, d.Head = append(d.Bounded[:0], p.supports.bounded...), append(d.Match[:0], d.Scores...), d.Head[:0]
	return err
}

// Without implements Leaver: prototypes leave the scores as they are.
func (p *Prototype) Without([]float64, int, int) error { return nil }

// average is the mean of sets, node by node. Its regions are those of the first
// set: embedders give the same node of every picture the same place.
type average struct {
	sum   []float64 // [N·C]
	power float64   // of all sets: the squares of the values of their nodes, each centred by its mean over channels
	count int
	set   embed.Set
}

// averageOf returns the mean of a class's examples.
func averageOf(class Class) (*average, error) {
	m := newAverage(class.Support[0])
	for i, set := range class.Support[1:] {
		if set.N != m.set.N {
			return nil, exampleError(class, i+1, fmt.Errorf("%w: %d nodes, the first has %d: use one embedder, or the nearest classifier", ErrMixed, set.N, m.set.N))
		}
		m.take(set)
	}
	m.settle()
	return m, nil
}

// newAverage returns the mean of one set.
func newAverage(first *embed.Set) *average {
	m := &average{
		sum: make([]float64, len(first.Data)),
		set: embed.Set{N: first.N, C: first.C, Data: make([]float32, len(first.Data)), Regions: first.Regions},
	}
	m.add(first)
	return m
}

// add takes in another set, of as many nodes and channels.
func (m *average) add(set *embed.Set) {
	m.take(set)
	m.settle()
}

// clone copies the mean.
func (m *average) clone() *average {
	c := *m
	c.sum, c.set.Data = slices.Clone(m.sum), slices.Clone(m.set.Data)
	return &c
}

// take adds a set to the sum; settle writes the mean.
func (m *average) take(set *embed.Set) {
	sum := m.sum[:len(set.Data)]
	for k, v := range set.Data {
		sum[k] += float64(v)
	}
	m.power += power(set)
	m.count++
}

// power is the sum of the squares of a set's values, each node centred by its mean
// over channels.
func power(set *embed.Set) (sum float64) {
	for i := range set.N {
		var total, squares float64
		for _, v := range set.Node(i) {
			v := float64(v)
			total += v
			squares += v * v
		}
		sum += max(0, squares-total*total/float64(set.C))
	}
	return sum
}

// roughness is the ratio of the lengths that the nodes of a mean would have with so
// many sets, and those of this mean, of count sets. The mean of n sets has the
// expected power P + S/n: the sets share P, and each has S to itself; their own
// powers tell which. A cosine with another picture has that length in its
// denominator, and a numerator that does not depend on n.
func (m *average) roughness(of int) float64 {
	own := power(&m.set)
	if of == m.count || own == 0 {
		return 1
	}
	n := float64(m.count)
	apart := max(0, m.power-n*own) / (n - 1)
	return math.Sqrt((own + apart*(1/float64(of)-1/n)) / own)
}

func (m *average) settle() {
	share := 1 / float64(m.count)
	data := m.set.Data[:len(m.sum)]
	for k, v := range m.sum {
		data[k] = float32(v * share)
	}
}
