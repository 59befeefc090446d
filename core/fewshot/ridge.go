package fewshot

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// RidgeHead is a linear layer on a picture's whole map, learned on the support in
// closed form: ridge regression of one-hot labels, as Bertinetto et al. ("Meta-learning
// with Differentiable Closed-form Solvers", 2019) have it for mean features. Its input
// is every node, centred by its mean over channels and scaled to length 1/√N, so that
// places count, and the mean node, scaled to length 1. Classes count the same in
// learning, whatever their numbers of examples. Scores are about 1 for a picture's own
// class and 0 for the others, less the mean of both.
//
// The zero value is ready for use.
type RidgeHead struct {
	// Strength is the weight of the squared length of the layer's weights; 0 stands
	// for 0.3.
	Strength float64

	classes  []int // examples of each class
	examples []ridgeExample
	gram     [][]float64 // gram[i][j], j ≤ i: the product of two examples' inputs
	stale    bool        // examples came since the layer was learned
	nodes    int
	channels int

	weights []float32 // [way, (N+1)·C]
	bias    []float64 // [way]
	left    []float64 // [examples, way]: scores of each example by all others
	query   ridgeInput
}

// ridgeExample is an example as the layer learns from it.
type ridgeExample struct {
	class int
	ridgeInput
}

// ridgeInput is the input that a set makes, without a copy of its nodes.
type ridgeInput struct {
	set   *embed.Set
	scale []float64 // [N], of the centred nodes
	mean  []float32 // [C], the mean node of length 1
}

const ridgeStrength = 0.3

// Fit implements Classifier. All examples must have the same number of nodes.
func (r *RidgeHead) Fit(classes []Class) error {
	r.classes, r.examples, r.gram = nil, nil, nil
	if err := checkSupport(classes); err != nil {
		return err
	}
	first := classes[0].Support[0]
	r.nodes, r.channels = first.N, first.C
	for class := range classes {
		for i, set := range classes[class].Support {
			if err := r.take(class, set); err != nil {
				r.classes = nil
				return exampleError(classes[class], i, err)
			}
		}
	}
	return nil
}

// Extend implements Extender. The layer is learned again when it is next asked for
// scores.
func (r *RidgeHead) Extend(class int, example *embed.Set) error {
	if r.classes == nil {
		return errUnfitted()
	}
	if err := r.take(class, example); err != nil {
		return fmt.Errorf("fewshot: new example: %w", err)
	}
	return nil
}

// take adds an example, and its products with all before it.
func (r *RidgeHead) take(class int, set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	if set.N != r.nodes || set.C != r.channels {
		return fmt.Errorf("%w: %d nodes of %d channels, the first has %d of %d: use one embedder, or the nearest classifier", ErrMixed, set.N, set.C, r.nodes, r.channels)
	}
	example := ridgeExample{class: class}
	if err := example.reset(set); err != nil {
		return err
	}
	unit := example.unit()
	row := make([]float64, 0, len(r.examples)+1)
	for _, other := range append(r.examples, example) {
		row = append(row, other.product(unit))
	}
	r.examples, r.gram = append(r.examples, example), append(r.gram, row)
	if class == len(r.classes) {
		r.classes = append(r.classes, 0)
	}
	r.classes[class]++
	r.stale = true
	return nil
}

// Scores implements Classifier.
func (r *RidgeHead) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if r.classes == nil {
		return nil, errUnfitted()
	}
	if err := query.Check(); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if query.N != r.nodes {
		return nil, fmt.Errorf("fewshot: query: %w: %d nodes, examples have %d: use one embedder, or the nearest classifier", ErrMixed, query.N, r.nodes)
	}
	if err := sameChannels(query, r.channels); err != nil {
		return nil, err
	}
	if err := r.query.reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	r.learn()
	dst = grow(dst, len(r.classes))
	size := (r.nodes + 1) * r.channels
	for i := range dst {
		dst[i] = r.query.product(r.weights[i*size:][:size]) + r.bias[i]
	}
	return dst, nil
}

// ScoresWithout are an example's scores by a layer that was learned from all others, in
// which its class still counts as much as each other one. Examples are counted
// in the order of Fit and Extend. The slice must not be changed.
func (r *RidgeHead) ScoresWithout(example int) []float64 {
	r.learn()
	way := len(r.classes)
	return r.left[example*way:][:way]
}

// reset makes the input of a set.
func (p *ridgeInput) reset(set *embed.Set) error {
	p.set, p.scale = set, grow(p.scale, set.N)
	if len(p.mean) != set.C {
		p.mean = make([]float32, set.C)
	}
	clear(p.mean)
	share := 1 / math.Sqrt(float64(set.N))
	for n := range set.N {
		var sum, squares float64
		for c, v := range set.Node(n) {
			p.mean[c] += v
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
		if math.IsNaN(squares) || math.IsInf(squares, 0) {
			return fmt.Errorf("node %d: %w: are the weights damaged?", n, match.ErrNotFinite)
		}
		p.scale[n] = 0
		if squares -= sum * sum / float64(set.C); squares > 0 {
			p.scale[n] = share / math.Sqrt(squares)
		}
	}
	var squares float64
	for _, v := range p.mean {
		squares += float64(v) * float64(v)
	}
	if squares > 0 {
		scale := float32(1 / math.Sqrt(squares))
		for c := range p.mean {
			p.mean[c] *= scale
		}
	}
	return nil
}

// unit is the input, [(N+1)·C].
func (p *ridgeInput) unit() []float32 {
	u := make([]float32, (p.set.N+1)*p.set.C)
	p.add(u, 1)
	centre(u[:p.set.N*p.set.C], p.set.C)
	return u
}

// product is that of the input with a vector whose nodes are centred: the nodes of the
// input need not be, then.
func (p *ridgeInput) product(v []float32) (sum float64) {
	c := p.set.C
	for n := range p.set.N {
		sum += p.scale[n] * dot32(p.set.Node(n), v[n*c:][:c])
	}
	return sum + dot32(p.mean, v[p.set.N*c:])
}

// add adds the input times a factor, its nodes not centred.
func (p *ridgeInput) add(dst []float32, factor float64) {
	c := p.set.C
	for n := range p.set.N {
		scale, to := float32(factor*p.scale[n]), dst[n*c:][:c]
		for i, v := range p.set.Node(n) {
			to[i] += scale * v
		}
	}
	for i, v := range p.mean {
		dst[p.set.N*c+i] += float32(factor) * v
	}
}

// centre subtracts from each row of channels its mean.
func centre(rows []float32, channels int) {
	for ; len(rows) > 0; rows = rows[channels:] {
		var sum float32
		for _, v := range rows[:channels] {
			sum += v
		}
		for c := range channels {
			rows[c] -= sum / float32(channels)
		}
	}
}

// dot32 is the product of two vectors, whose length is that of a.
func dot32(a, b []float32) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0+s1) + float64(s2+s3)
}
