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
	p := &pacer{pause: pause}
	s, err := r.solve(usualRidge, p)
	if err != nil {
		return err
	}
	layer, err := r.combine([]*solution{s}, []float64{1}, p)
	if err != nil {
		return err
	}
	r.layer, r.stale = layer, false
	return nil
}

// solution holds the coefficients of a layer.
type solution struct {
	head *RidgeHead
	ridge
	share   []float64   // weights of examples, which sum to 1
	center  []float64   // dot products of the inputs with μ
	system  [][]float64 // the lower triangle of X·Xᵀ + D, then its Cholesky factor
	answers [][]float64 // A, [way][examples]
	columns [][]float64 // columns of the factor's inverse, for the examples of one class
	parts   [][]Run     // of each class, to leave out
	left    []float64   // [examples, way]: see ridgeLayer
}

// solve computes the coefficients of a layer with the given settings.
func (r *RidgeHead) solve(by ridge, p *pacer) (*solution, error) {
	n, way := len(r.examples), len(r.classes)
	for len(r.gram) < n {
		from := len(r.gram)
		fresh, err := r.products(from, min(from+columnsAtOnce, n), p)
		if err != nil {
			return nil, err
		}
		if len(r.gram) == from { // unless another Learn has appended it during a pause
			r.gram = append(r.gram, fresh...)
		}
	}
	s := &solution{head: r, ridge: by, answers: make([][]float64, way), parts: r.parts(), left: make([]float64, n*way)}
	s.prepare()
	if err := p.add(3 * n * n * perMultiply); err != nil {
		return nil, err
	}
	if err := p.each(n, func(i int) int { factorRow(s.system, i); return i * i / 2 }); err != nil {
		return nil, err
	}
	if err := p.each(way, func(class int) int {
		a := make([]float64, n)
		for i, e := range r.examples {
			a[i] = r.target(e.class, class)
		}
		solve(s.system, a)
		s.answers[class] = a
		return n * n
	}); err != nil {
		return nil, err
	}
	for own, members := range r.classes {
		k := len(members)
		s.columns = nil
		if err := p.each(k, func(a int) int {
			s.invert(members[a])
			return (n-members[a])*(n-members[a])/2 + a*n
		}); err != nil {
			return nil, err
		}
		s.leaveOut(own)
		if err := p.add(k * k * (n/2 + k + way)); err != nil {
			return nil, err
		}
	}
	s.uncenter()
	return s, nil
}

// combine returns the weighted sum of the solutions' layers, which is one layer.
func (r *RidgeHead) combine(solutions []*solution, weights []float64, p *pacer) (*ridgeLayer, error) {
	n, way, size := len(r.examples), len(r.classes), (r.nodes+1)*r.channels
	layer := &ridgeLayer{
		nodes: r.nodes, channels: r.channels,
		weights: make([]float32, way*size), bias: make([]float64, way), left: make([]float64, n*way),
	}
	for k, s := range solutions {
		for class, a := range s.answers {
			layer.bias[class] -= weights[k] * kernel.Dot(a, s.center)
		}
		for i, v := range s.left {
			layer.left[i] += weights[k] * v
		}
	}
	if err := p.each(n, func(i int) int {
		for class := range way {
			var factor, mean float64
			for k, s := range solutions {
				factor += weights[k] * s.answers[class][i]
				mean += weights[k] * s.answers[class][i] * s.mean
			}
			r.examples[i].add(layer.weights[class*size:][:size], factor, mean)
		}
		return way * size
	}); err != nil {
		return nil, err
	}
	for rest := layer.weights; len(rest) > 0; rest = rest[size:] {
		center(rest[:size-r.channels], r.channels)
	}
	return layer, nil
}

// products returns the rows from to to−1 of the Gram matrix, at most columnsAtOnce. It packs
// the inputs of these examples as matrix columns, and multiplies them with rowsAtOnce
// examples at a time.
func (r *RidgeHead) products(from, to int, p *pacer) (fresh []products, err error) {
	nodes := r.nodes * r.channels
	size := nodes + r.channels
	packed := make([][]float32, (to-from+kernel.Lanes-1)/kernel.Lanes)
	rows := make([]float32, rowsAtOnce*size)
	ofNodes, ofMean := make([]float32, rowsAtOnce*kernel.Lanes), make([]float32, rowsAtOnce*kernel.Lanes)
	fresh = make([]products, to-from)
	err = p.each(to-from, func(j int) int {
		if j%kernel.Lanes == 0 {
			packed[j/kernel.Lanes] = make([]float32, size*kernel.Lanes)
		}
		fresh[j] = newProducts(from + j + 1)
		input, columns := rows[:size], packed[j/kernel.Lanes]
		r.examples[from+j].scaled(input)
		center(input[:nodes], r.channels)
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
			gemm := kernel.Best().Gemm
			gemm(end-first, nodes, kernel.Lanes, rows, size, columns, ofNodes, kernel.Lanes, false)
			gemm(end-first, r.channels, kernel.Lanes, rows[nodes:], size, columns[nodes*kernel.Lanes:], ofMean, kernel.Lanes, false)
			for j, row := range fresh[at*kernel.Lanes : min((at+1)*kernel.Lanes, len(fresh))] {
				for i := first; i < min(end, len(row.nodes)); i++ {
					row.nodes[i] = float64(ofNodes[(i-first)*kernel.Lanes+j])
					row.mean[i] = float64(ofMean[(i-first)*kernel.Lanes+j])
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

// prepare computes the system X·Xᵀ + D from the products of the uncentered inputs.
func (s *solution) prepare() {
	r := s.head
	n, way := len(r.examples), len(r.classes)
	s.share, s.center, s.system = make([]float64, n), make([]float64, n), make([][]float64, n)
	for i, e := range r.examples {
		s.share[i] = 1 / float64(way*len(r.classes[e.class]))
	}
	for i, row := range r.gram {
		s.system[i] = make([]float64, i+1)
		for j := range s.system[i] {
			v := row.nodes[j] + s.mean*row.mean[j]
			s.system[i][j] = v
			s.center[i] += s.share[j] * v
			if j < i {
				s.center[j] += s.share[i] * v
			}
		}
	}
	square := kernel.Dot(s.share, s.center)
	for i, row := range s.system {
		for j := range row {
			row[j] += square - s.center[i] - s.center[j]
		}
		row[i] += s.strength / (s.share[i] * float64(n))
	}
}

// uncenter converts A for uncentered inputs. With the examples' weights w,
// (X − 1·μᵀ)ᵀ·A = Xᵀ·(A − w·ΣA).
func (s *solution) uncenter() {
	for _, a := range s.answers {
		var total float64
		for _, v := range a {
			total += v
		}
		for i := range a {
			a[i] -= total * s.share[i]
		}
	}
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
