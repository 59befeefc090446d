package fewshot

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
)

// The layer is Xᵀ·A with A = (X·Xᵀ + D)⁻¹·Y. X holds the inputs, centered by their weighted mean
// μ, Y the targets, and the diagonal matrix D has the entries λ/(n·weight) of the n examples.
// Learning is long work, with pauses.

// perMultiply is the estimated time of a multiplication outside the kernels in WebAssembly,
// in nanoseconds. perNanosecond is the number of a kernel's multiplications per nanosecond.
const perMultiply, perNanosecond = 1, 8

// Learn learns the layer, as Student.Learn does.
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
		if len(r.gram) == from { // unless another Learn has appended it during a pause
			r.gram = append(r.gram, fresh...)
		}
	}
	s := &solution{head: r, answers: make([][]float64, way)}
	s.center()
	if err := p.add(3 * n * n * perMultiply); err != nil {
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
		if err := p.add(k * k * (n/2 + k + way)); err != nil {
			return err
		}
	}
	s.uncenter()
	if err := p.each(n, func(i int) int { s.collect(i); return way * size }); err != nil {
		return err
	}
	s.finish()
	r.stale = false
	return nil
}

// solution is the state of Learn.
type solution struct {
	head    *RidgeHead
	share   []float64   // weights of examples, which sum to 1
	mean    []float64   // dot products of the inputs with μ
	system  [][]float64 // the lower triangle of X·Xᵀ + D, then its Cholesky factor
	answers [][]float64 // A, [way][examples]
	columns [][]float64 // columns of the factor's inverse, for the examples of one class
	layer   *ridgeLayer
}

// products returns the rows from to to−1 of the Gram matrix, at most columnsAtOnce. It packs
// the inputs of these examples as matrix columns, and multiplies them with rowsAtOnce
// examples at a time.
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
		center(input[:r.nodes*r.channels], r.channels)
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

// columnsAtOnce is the number of examples per call of products. A larger number reads the
// other examples less often.
const columnsAtOnce = 4 * kernel.Lanes

// rowsAtOnce is the number of rows of a matrix product, enough for efficient kernels.
const rowsAtOnce = 4

// center computes the system X·Xᵀ + D from the products of the uncentered inputs.
func (s *solution) center() {
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
	square := kernel.Dot(s.share, s.mean)
	s.system = make([][]float64, n)
	for i, row := range r.gram {
		s.system[i] = make([]float64, i+1)
		for j, v := range row {
			s.system[i][j] = v - s.mean[i] - s.mean[j] + square
		}
		s.system[i][i] += ridgeStrength / (s.share[i] * float64(n))
	}
	s.layer = &ridgeLayer{
		nodes: r.nodes, channels: r.channels,
		weights: make([]float32, way*(r.nodes+1)*r.channels), bias: make([]float64, way), left: make([]float64, n*way),
	}
}

// factor computes row i of the system's Cholesky factor, after the rows above.
func (s *solution) factor(i int) { factorRow(s.system, i) }

// solve computes the coefficients A of the examples for a class.
func (s *solution) solve(class int) {
	a := make([]float64, len(s.system))
	for i, e := range s.head.examples {
		a[i] = s.head.target(e.class, class)
	}
	solve(s.system, a)
	s.answers[class] = a
}

// uncenter converts A for uncentered inputs and computes the bias. With the examples' weights w,
// (X − 1·μᵀ)ᵀ·A = Xᵀ·(A − w·ΣA).
func (s *solution) uncenter() {
	for class, a := range s.answers {
		var total float64
		for _, v := range a {
			total += v
		}
		for i := range a {
			a[i] -= total * s.share[i]
		}
		s.layer.bias[class] = -kernel.Dot(a, s.mean)
	}
}

// collect adds the input of example i to the weights of all classes.
func (s *solution) collect(i int) {
	size := (s.layer.nodes + 1) * s.layer.channels
	for class, a := range s.answers {
		s.head.examples[i].add(s.layer.weights[class*size:][:size], a[i])
	}
}

// finish centers the nodes of the weights, and replaces the head's layer.
func (s *solution) finish() {
	nodes := s.layer.nodes * s.layer.channels
	for rest := s.layer.weights; len(rest) > 0; rest = rest[nodes+s.layer.channels:] {
		center(rest[:nodes], s.layer.channels)
	}
	s.head.layer = s.layer
}

// target returns the one-hot target of an example of class own for a class, minus 1/classes.
func (r *RidgeHead) target(own, class int) float64 {
	y := -1 / float64(len(r.classes))
	if own == class {
		y++
	}
	return y
}

// factorRow replaces row i of the lower triangle of a positive definite matrix by the row of
// the Cholesky factor. The rows above must be factored.
func factorRow(a [][]float64, i int) {
	row := a[i]
	for j, other := range a[:i] {
		row[j] = (row[j] - kernel.Dot(other[:j], row)) / other[j]
	}
	row[i] = math.Sqrt(row[i] - kernel.Dot(row[:i], row))
}

// solve solves L·Lᵀ·x = b in place of b.
func solve(l [][]float64, b []float64) {
	for i, row := range l {
		b[i] = (b[i] - kernel.Dot(row[:i], b)) / row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		b[i] /= l[i][i]
		for k, v := range l[i][:i] {
			b[k] -= v * b[i]
		}
	}
}
