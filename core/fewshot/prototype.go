package fewshot

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Prototype represents each class by the node-wise mean of its examples' sets, and scores a
// query by its match with this set. It equals DeepEMD's 1-shot classifier if every class has one
// example. Otherwise it is the initial state of the structured fully connected layer (DeepEMD,
// section 3.5).
//
// The zero value is ready for use.
type Prototype struct {
	// Matcher matches queries with prototypes. Its settings may change until Fit.
	Matcher match.Matcher
	// Skip skips the matches of classes that cannot win. The best class and its score are
	// exact; other scores may be upper bounds, see Detail.
	Skip bool
	// Balance compensates for different numbers of examples. The mean of many examples is
	// smoother than a single image and more similar to any query, which favors large
	// classes. Balance scales their scores down. It has no effect if all classes have the
	// same number of examples. The reference implementation has no balance.
	Balance bool

	supports supports
	means    []*average // by class

	rest         average // the class of the last Omit
	restPrepared match.Prepared
}

// Fit implements Classifier. All examples of a class must have the same number of nodes.
func (p *Prototype) Fit(classes []Class) (err error) {
	p.means = p.means[:0]
	p.supports.sets, err = Prepare(&p.Matcher, classes, func(class Class) ([]*embed.Set, error) {
		m, err := averageOf(class)
		if err != nil {
			return nil, err
		}
		p.means = append(p.means, m)
		return []*embed.Set{&m.set}, nil
	})
	if err == nil {
		p.scale()
	}
	return err
}

// scale sets the scale of each class's scores to 1/√r, where r is the roughness of the
// class's mean if the class had as few examples as the smallest one. The factor 1/r would be
// exact if every node had a fixed partner. But a match finds the best partner, which is
// better by chance among rough nodes than among smooth ones. The root leaves about half of
// the correction.
func (p *Prototype) scale() {
	p.supports.scale = p.supports.scale[:0]
	if !p.Balance {
		return
	}
	fewest := p.fewest(p.means[0].count)
	for _, m := range p.means {
		p.supports.scale = append(p.supports.scale, scaleOf(m.roughness(fewest)))
	}
}

// fewest returns the number of examples of the smallest class, or other if that is less.
func (p *Prototype) fewest(other int) int {
	for _, m := range p.means {
		other = min(other, m.count)
	}
	return other
}

// Traits implements Classifier.
func (p *Prototype) Traits() Traits {
	return Traits{Extender: p, Detailer: p, LeaveOneOut: p, Means: true}
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

// Extend implements Extender. It does not change the means of forks.
func (p *Prototype) Extend(class int, example *embed.Set) error {
	prepared, err := p.supports.admit(&p.Matcher, class, example)
	if err != nil {
		return err
	}
	if class == len(p.means) {
		m, _ := averageOf(Class{Support: []*embed.Set{example}}) // one example has one shape
		p.means = append(p.means, m)
		p.supports.sets = append(p.supports.sets, []*match.Prepared{prepared})
		p.scale()
		return nil
	}
	m := *p.means[class]
	if example.N != m.set.N {
		return fmt.Errorf("fewshot: new example: %w: number of nodes %d, the class has %d: use one embedder, or the nearest classifier", ErrMixed, example.N, m.set.N)
	}
	m.sum, m.set.Data = slices.Clone(m.sum), slices.Clone(m.set.Data)
	m.add(example)
	if prepared, err = p.Matcher.Prepare(&m.set); err != nil {
		return err
	}
	p.means[class], p.supports.sets[class] = &m, []*match.Prepared{prepared}
	p.scale()
	return nil
}

// Scores implements Classifier.
func (p *Prototype) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	return p.scores(dst, query, nil)
}

// scores implements Scores. With Skip, added holds terms that the caller will add to the
// scores, [classes] or empty; see supports.best.
func (p *Prototype) scores(dst []float64, query *embed.Set, added []float64) ([]float64, error) {
	if p.Skip {
		return p.supports.best(&p.Matcher, dst, query, true, added)
	}
	return p.supports.scores(&p.Matcher, dst, query)
}

// Detail implements Detailer. With Skip, Match has the same bounds as Scores.
func (p *Prototype) Detail(d *Detail, query *embed.Set) (err error) {
	d.Scores, err = p.Scores(d.Scores, query)
	d.Bounded, d.Match, d.Head = append(d.Bounded[:0], p.supports.bounded...), append(d.Match[:0], d.Scores...), d.Head[:0]
	return err
}

// Without implements LeaveOneOut. It does nothing, because the scores are Prototype's already.
func (p *Prototype) Without([]float64, int, int) error { return nil }

// average is the node-wise mean of sets. It has the regions of the first set, because
// embedders place a node in the same region of every image.
type average struct {
	sum   []float64 // [N·C]
	power float64   // the sum of the sets' powers
	own   float64   // the power of the mean
	count int
	set   embed.Set
}

// averageOf returns the mean of a class's examples.
func averageOf(class Class) (*average, error) {
	first := class.Support[0]
	for i, set := range class.Support {
		if set.N != first.N {
			return nil, exampleError(class, i, fmt.Errorf("%w: number of nodes %d, the first has %d: use one embedder, or the nearest classifier", ErrMixed, set.N, first.N))
		}
	}
	m := &average{
		sum: make([]float64, len(first.Data)),
		set: embed.Set{N: first.N, C: first.C, Data: make([]float32, len(first.Data)), Regions: first.Regions},
	}
	m.add(class.Support...)
	return m, nil
}

// add adds sets with the same shape.
func (m *average) add(sets ...*embed.Set) {
	for _, set := range sets {
		sum := m.sum[:len(set.Data)]
		for k, v := range set.Data {
			sum[k] += float64(v)
		}
		m.power += power(set)
		m.count++
	}
	m.update()
}

// power returns the sum of the squares of a set's values, after centering each node by its
// mean over channels.
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

// roughness returns the expected node length of a mean of the given number of sets, relative
// to the node length of this mean of m.count sets. The mean of n sets has the expected power
// P + S/n, where P is common to the sets and S is the power of each set's deviation. Both
// are estimated from the powers of the sets and of the mean. A cosine with another image has
// this length in its denominator, and a numerator that does not depend on n.
func (m *average) roughness(of int) float64 {
	if of == m.count || m.own == 0 {
		return 1
	}
	n := float64(m.count)
	apart := max(0, m.power-n*m.own) / (n - 1)
	return math.Sqrt((m.own + apart*(1/float64(of)-1/n)) / m.own)
}

func (m *average) update() {
	share := 1 / float64(m.count)
	data := m.set.Data[:len(m.sum)]
	for k, v := range m.sum {
		data[k] = float32(v * share)
	}
	m.own = power(&m.set)
}
