package fewshot

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Learning the layer takes long. With the inputs X centred by their weighted mean μ, targets
// Y, and the diagonal matrix D of λ over the examples' weights, the layer is Xᵀ·A where
// A = (X·Xᵀ + D)⁻¹·Y.

// perMultiply is the time of a multiplication of vectors in a page, in nanoseconds;
// perNanosecond is the number of multiplications in a kernel's product.
const perMultiply, perNanosecond = 1, 8

// Learn learns the layer as a Student does.
func (r *RidgeHead) Learn(pause func() error) error {
	if !r.stale {
		return nil
	}
	p := pacer{pause: pause}
	n, way, size := len(r.examples), len(r.classes), (r.nodes+1)*r.channels
	for len(r.gram) < n {
		from := len(r.gram)
		fresh, err := r.products(from, min(from+columnsAtOnce, n), &p)
		if err != nil {
			return err
		}
		if len(r.gram) == from { // or another has come here during a pause
			r.gram = append(r.gram, fresh...)
		}
	}
	s := &solution{head: r, strength: r.Strength, answers: make([][]float64, way)}
	if s.strength == 0 {
		s.strength = ridgeStrength
	}
	s.centre()
	if err := p.did(3 * n * n * perMultiply); err != nil {
		return err
	}
	if err := p.each(n, func(i int) int { s.factor(i); return i * i / 2 }); err != nil {
		return err
	}
	if err := p.each(way, func(class int) int { s.solve(class); return n * n }); err != nil {
		return err
	}
	for own, members := range r.classes {
		k := len(members)
		s.columns = nil
		if err := p.each(k, func(a int) int {
			s.invert(members[a])
			return (n-members[a])*(n-members[a])/2 + a*n
		}); err != nil {
			return err
		}
		s.leaveOut(own)
		if err := p.did(k * k * (n/2 + k + way)); err != nil {
			return err
		}
	}
	s.settle()
	if err := p.each(n, func(i int) int { s.collect(i); return way * size }); err != nil {
		return err
	}
	s.finish()
	r.stale = false
	return nil
}

// solution is a layer in the making.
type solution struct {
	head     *RidgeHead
	strength float64
	share    []float64   // weights of examples, which sum to 1
	mean     []float64   // products of examples with the mean of all
	system   [][]float64 // the lower half of X·Xᵀ + D, then its Cholesky factor
	answers  [][]float64 // A, [way][examples]
	columns  [][]float64 // of the factor's inverse, for the examples of one class
	layer    *ridgeLayer
}

// products multiplies some examples, no more than columnsAtOnce, with all before them and
// with themselves: as columns of matrices, with the others as rows, a few at a time.
func (r *RidgeHead) products(from, to int, p *pacer) (fresh [][]float64, err error) {
	size := (r.nodes + 1) * r.channels
	packed := make([][]float32, (to-from+kernel.Lanes-1)/kernel.Lanes)
	rows, products := make([]float32, rowsAtOnce*size), make([]float32, rowsAtOnce*kernel.Lanes)
	fresh = make([][]float64, to-from)
	err = p.each(to-from, func(j int) int {
		if j%kernel.Lanes == 0 {
			packed[j/kernel.Lanes] = make([]float32, size*kernel.Lanes)
		}
		fresh[j] = make([]float64, from+j+1)
		input, columns := rows[:size], packed[j/kernel.Lanes]
		r.examples[from+j].scaled(input)
		centre(input[:r.nodes*r.channels], r.channels)
		for k, v := range input {
			columns[k*kernel.Lanes+j%kernel.Lanes] = v
		}
		return 3 * size
	})
	if err != nil {
		return nil, err
	}
	return fresh, p.each((to+rowsAtOnce-1)/rowsAtOnce, func(group int) int {
		first := group * rowsAtOnce
		end := min(first+rowsAtOnce, to)
		for i := first; i < end; i++ {
			r.examples[i].scaled(rows[(i-first)*size:][:size])
		}
		for at, columns := range packed {
			kernel.Best().Gemm(end-first, size, kernel.Lanes, rows, size, columns, products, kernel.Lanes, false)
			for j, row := range fresh[at*kernel.Lanes : min((at+1)*kernel.Lanes, len(fresh))] {
				for i := first; i < min(end, len(row)); i++ {
					row[i] = float64(products[(i-first)*kernel.Lanes+j])
				}
			}
		}
		return rowsAtOnce * size * (1 + len(packed)*kernel.Lanes/perNanosecond)
	})
}

// columnsAtOnce is how many examples meet the others at once, which are read the less
// often for it.
const columnsAtOnce = 4 * kernel.Lanes

// rowsAtOnce is how many rows a product has: enough for the kernels to keep busy.
const rowsAtOnce = 4

// centre makes the system: the products of the inputs less their weighted mean, and D.
func (s *solution) centre() {
	r := s.head
	n, way := len(r.examples), len(r.classes)
	s.share, s.mean = make([]float64, n), make([]float64, n)
	for i, e := range r.examples {
		s.share[i] = 1 / float64(way*len(r.classes[e.class]))
	}
	for i, row := range r.gram {
		for j, v := range row {
			s.mean[i] += s.share[j] * v
			if j < i {
				s.mean[j] += s.share[i] * v
			}
		}
	}
	square := dot(s.share, s.mean)
	s.system = make([][]float64, n)
	for i, row := range r.gram {
		s.system[i] = make([]float64, i+1)
		for j, v := range row {
			s.system[i][j] = v - s.mean[i] - s.mean[j] + square
		}
		s.system[i][i] += s.strength / (s.share[i] * float64(n))
	}
	s.layer = &ridgeLayer{
		nodes: r.nodes, channels: r.channels,
		weights: make([]float32, way*(r.nodes+1)*r.channels), bias: make([]float64, way), left: make([]float64, n*way),
	}
}

// factor makes a row of the system's Cholesky factor, whose rows above are there.
func (s *solution) factor(i int) { factorRow(s.system, i) }

// solve finds what each example counts in the layer of a class.
func (s *solution) solve(class int) {
	a := make([]float64, len(s.system))
	for i, e := range s.head.examples {
		a[i] = s.head.target(e.class, class)
	}
	solve(s.system, a)
	s.answers[class] = a
}

// settle makes the answers what inputs count that are not centred: inputs less their mean,
// times A, are inputs times A less its sum's share.
func (s *solution) settle() {
	for class, a := range s.answers {
		var total float64
		for _, v := range a {
			total += v
		}
		for i := range a {
			a[i] -= total * s.share[i]
		}
		s.layer.bias[class] = -dot(a, s.mean)
	}
}

// collect adds an example to the layers of all classes.
func (s *solution) collect(i int) {
	size := (s.layer.nodes + 1) * s.layer.channels
	for class, a := range s.answers {
		s.head.examples[i].add(s.layer.weights[class*size:][:size], a[i])
	}
}

// finish puts the layer in the place of the last.
func (s *solution) finish() {
	nodes := s.layer.nodes * s.layer.channels
	for rest := s.layer.weights; len(rest) > 0; rest = rest[nodes+s.layer.channels:] {
		centre(rest[:nodes], s.layer.channels)
	}
	s.head.layer = s.layer
}

// target is what an example of a class is to score for another, less the mean.
func (r *RidgeHead) target(own, class int) float64 {
	y := -1 / float64(len(r.classes))
	if own == class {
		y++
	}
	return y
}

// factorRow makes a row of the Cholesky factor of a positive definite matrix, whose lower
// half it replaces; the rows above are there.
func factorRow(a [][]float64, i int) {
	row := a[i]
	for j, other := range a[:i] {
		row[j] = (row[j] - dot(other[:j], row)) / other[j]
	}
	row[i] = math.Sqrt(row[i] - dot(row[:i], row))
}

// solve replaces the right side of L·Lᵀ·x = b by x.
func solve(l [][]float64, b []float64) {
	for i, row := range l {
		b[i] = (b[i] - dot(row[:i], b)) / row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		b[i] /= l[i][i]
		for k, v := range l[i][:i] {
			b[k] -= v * b[i]
		}
	}
}
