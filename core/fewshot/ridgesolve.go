package fewshot

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
)

// Learning the layer is a row of steps, so that a page can answer in between. With the
// inputs X centred by their weighted mean μ, targets Y, and the diagonal matrix D of λ
// over the examples' weights, the layer is Xᵀ·A where A = (X·Xᵀ + D)⁻¹·Y.

// step is a piece of learning, and about how many nanoseconds it takes in a page.
type step struct {
	work int
	do   func()
}

// What a multiplication takes, in nanoseconds: of vectors, and in the kernels' products
// how many there are in one.
const perMultiply, perNanosecond = 1, 8

// stepWork is how much a step does, if its parts are smaller.
const stepWork = 2_000_000

// Study does a step of what is left to learn, and says about how many nanoseconds that
// takes in a page; 0 when all is learned.
func (r *RidgeHead) Study() (work int) {
	if !r.stale {
		return 0
	}
	if len(r.steps) == 0 {
		r.plan()
	}
	next := r.steps[0]
	next.do()
	if r.steps = r.steps[1:]; len(r.steps) == 0 {
		r.stale = false
	}
	return next.work
}

// learn brings the layer up to date with the examples.
func (r *RidgeHead) learn() {
	for r.Study() > 0 {
	}
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

// plan lists the steps.
func (r *RidgeHead) plan() {
	n, way, size := len(r.examples), len(r.classes), (r.nodes+1)*r.channels
	for from := len(r.gram); from < n; from += columnsAtOnce {
		r.products(from, min(from+columnsAtOnce, n))
	}
	s := &solution{head: r, strength: r.Strength, answers: make([][]float64, way)}
	if s.strength == 0 {
		s.strength = ridgeStrength
	}
	r.add(3*n*n*perMultiply, s.centre)
	r.spread(n, func(i int) int { return i * i / 2 }, s.factor)
	r.spread(way, func(int) int { return n * n }, s.solve)
	for own, members := range r.classes {
		k := len(members)
		r.add(1, func() { s.columns = nil })
		r.spread(k, func(a int) int { return (n-members[a])*(n-members[a])/2 + a*n }, func(a int) { s.invert(members[a]) })
		r.add(k*k*(n/2+k+way), func() { s.leaveOut(own) })
	}
	r.add(way*n, s.settle)
	r.spread(n, func(int) int { return way * size }, s.collect)
	r.add(way*size, s.finish)
}

// add plans a step.
func (r *RidgeHead) add(work int, do func()) { r.steps = append(r.steps, step{max(1, work), do}) }

// spread plans to do each of so many things, several in a step.
func (r *RidgeHead) spread(n int, multiplications func(i int) int, do func(i int)) {
	for from := 0; from < n; {
		to, work := from, 0
		for ; to < n && work < stepWork; to++ {
			work += multiplications(to) * perMultiply
		}
		first, end := from, to
		r.add(work, func() {
			for i := first; i < end; i++ {
				do(i)
			}
		})
		from = to
	}
}

// products plans to multiply some examples, no more than columnsAtOnce, with all before
// them and with themselves: as columns of matrices, with the others as rows, a few at a
// time.
func (r *RidgeHead) products(from, to int) {
	size := (r.nodes + 1) * r.channels
	matrices := (to - from + kernel.Lanes - 1) / kernel.Lanes
	var packed [][]float32
	var rows, products []float32
	fresh := make([][]float64, to-from)
	r.spread(to-from, func(int) int { return 3 * size }, func(j int) {
		if j%kernel.Lanes == 0 {
			packed = append(packed, make([]float32, size*kernel.Lanes))
			rows, products = make([]float32, rowsAtOnce*size), make([]float32, rowsAtOnce*kernel.Lanes)
		}
		fresh[j] = make([]float64, from+j+1)
		input, columns := rows[:size], packed[j/kernel.Lanes]
		r.examples[from+j].scaled(input)
		centre(input[:r.nodes*r.channels], r.channels)
		for k, v := range input {
			columns[k*kernel.Lanes+j%kernel.Lanes] = v
		}
	})
	few := func(group int) {
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
	}
	r.spread((to+rowsAtOnce-1)/rowsAtOnce, func(int) int { return rowsAtOnce * size * (1 + matrices*kernel.Lanes/perNanosecond) }, few)
	r.add(1, func() { r.gram = append(r.gram, fresh...) })
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
