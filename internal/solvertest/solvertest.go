// Package solvertest generates transport problems for the tests and benchmarks of the solver and
// of its peers. The same seed gives the same problem on every machine.
package solvertest

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/solver"
)

const (
	channels  = 64   // dimension of a node of a problem
	parts     = 6    // things that images of the class may show
	shown     = 4    // things in one image
	spread    = 0.3  // radius of a thing, relative to the image's side
	noise     = 0.6  // of a node; parts have a length of about 1
	minWeight = 1e-3 // of a node, as in core/match
)

// Nodes returns the n local embeddings of two images of one class: square maps of nodes with a few
// overlapping things, positive on average.
func Nodes(n, channels int, seed uint64) (query, support [][]float64) {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	base := gaussian(rng, channels, 0.5)
	for i := range base {
		base[i] = math.Abs(base[i]) // positive on average, like features after a leaky ReLU
	}
	var class [parts][]float64
	for i := range class {
		class[i] = gaussian(rng, channels, 1)
	}
	return picture(rng, n, base, class[:]), picture(rng, n, base, class[:])
}

// Cosine returns a typical problem of DeepEMD with n×n nodes: two images of Nodes, costs 1 − cos
// between centered nodes, and cross-reference weights (as in core/match) that sum to n on either
// side.
func Cosine(n int, seed uint64) *solver.Problem {
	query, support := Nodes(n, channels, seed)
	p := &solver.Problem{
		Rows: n, Cols: n,
		Cost:   make([]float64, n*n),
		Supply: crossReference(query, support),
		Demand: crossReference(support, query),
	}
	center(query)
	center(support)
	for i, u := range query {
		for j, v := range support {
			p.Cost[i*n+j] = 1 - dot(u, v)/math.Sqrt(dot(u, u)*dot(v, v))
		}
	}
	return p
}

// Cosines returns count problems of Cosine with consecutive seeds.
func Cosines(n, count int, seed uint64) []*solver.Problem {
	ps := make([]*solver.Problem, count)
	for i := range ps {
		ps[i] = Cosine(n, seed+uint64(i))
	}
	return ps
}

func gaussian(rng *rand.Rand, channels int, length float64) []float64 {
	return drawn(channels, func() float64 { return rng.NormFloat64() * length / math.Sqrt(float64(channels)) })
}

// picture returns n nodes on a square map: things at random positions, fading with distance, on a
// common base, with noise.
func picture(rng *rand.Rand, n int, base []float64, class [][]float64) [][]float64 {
	type thing struct {
		x, y float64
		part []float64
	}
	var things [shown]thing
	for i := range things {
		things[i] = thing{rng.Float64(), rng.Float64(), class[rng.IntN(len(class))]}
	}
	side := int(math.Ceil(math.Sqrt(float64(n))))
	nodes := make([][]float64, n)
	for k := range nodes {
		x := (float64(k%side) + 0.5) / float64(side)
		y := (float64(k/side) + 0.5) / float64(side)
		node := gaussian(rng, len(base), noise)
		for c := range node {
			node[c] += base[c]
		}
		for _, t := range things {
			near := math.Exp(-((x-t.x)*(x-t.x) + (y-t.y)*(y-t.y)) / (2 * spread * spread))
			for c := range node {
				node[c] += near * t.part[c]
			}
		}
		nodes[k] = node
	}
	return nodes
}

// crossReference weights each node of u with its product with the mean of v.
func crossReference(u, v [][]float64) []float64 {
	mean := make([]float64, channels)
	for _, node := range v {
		for c, x := range node {
			mean[c] += x / float64(len(v))
		}
	}
	w := make([]float64, len(u))
	var sum float64
	for i, node := range u {
		w[i] = max(dot(node, mean), 0) + minWeight
		sum += w[i]
	}
	for i := range w {
		w[i] *= float64(len(w)) / sum
	}
	return w
}

func center(nodes [][]float64) {
	for _, node := range nodes {
		var mean float64
		for _, x := range node {
			mean += x / channels
		}
		for c := range node {
			node[c] -= mean
		}
	}
}

func dot(u, v []float64) float64 {
	var sum float64
	for c := range u {
		sum += u[c] * v[c]
	}
	return sum
}

// Mixed returns count problems of up to side rows and columns, of all kinds that are difficult for
// solvers: ties, equal weights, zero weights, many orders of magnitude, negative and constant
// costs.
func Mixed(side, count int, seed uint64) []*solver.Problem {
	rng := rand.New(rand.NewPCG(seed, uint64(side)))
	costs := []func() float64{
		func() float64 { return 3*rng.Float64() - 1 },
		func() float64 { return float64(rng.IntN(4)) },
		func() float64 { return 1.5 },
		func() float64 { return math.Pow(10, 60*rng.Float64()-30) },
	}
	weights := []func() float64{
		rng.Float64,
		func() float64 { return float64(rng.IntN(3)) },
		func() float64 { return 1 },
		func() float64 { return math.Pow(10, -8*rng.Float64()) },
	}
	list := make([]*solver.Problem, count)
	for n := range list {
		rows, cols := 1+rng.IntN(side), 1+rng.IntN(side)
		p := &solver.Problem{
			Rows: rows, Cols: cols,
			Cost:   drawn(rows*cols, costs[rng.IntN(len(costs))]),
			Supply: drawn(rows, weights[rng.IntN(len(weights))]),
			Demand: drawn(cols, weights[rng.IntN(len(weights))]),
		}
		p.Supply[0]++ // avoid zero sums
		p.Demand[0]++
		Balance(p)
		list[n] = p
	}
	return list
}

func drawn(n int, draw func() float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = draw()
	}
	return list
}

func sum(list []float64) (total float64) {
	for _, x := range list {
		total += x
	}
	return total
}

// Balance scales the demands to the sum of the supplies.
func Balance(p *solver.Problem) {
	scale := sum(p.Supply) / sum(p.Demand)
	for j := range p.Demand {
		p.Demand[j] *= scale
	}
}

// Failer is the common subset of testing.T and of property tests' T.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Certify fails unless the solution is feasible and its duals prove that it is optimal:
// complementary slackness, and equal objectives.
func Certify(t Failer, p *solver.Problem, s solver.Solution) {
	t.Helper()
	scale, total := 1e-300, 1e-300
	for _, c := range p.Cost {
		scale = max(scale, math.Abs(c))
	}
	dual := 0.0
	for i, w := range p.Supply {
		total += w
		dual += w * s.U[i]
	}
	for j, w := range p.Demand {
		dual += w * s.V[j]
	}
	primal := 0.0
	columns := make([]float64, p.Cols)
	positive := 0
	for i := range p.Rows {
		row := 0.0
		for j := range p.Cols {
			e := i*p.Cols + j
			x, slack := s.Flow[e], p.Cost[e]-s.U[i]-s.V[j]
			if x < 0 || math.IsNaN(x) {
				t.Fatalf("flow (%d, %d) is %g", i, j, x)
			}
			if x > 0 {
				positive++
			}
			if slack < -1e-9*scale || x > 0 && slack > 1e-9*scale {
				t.Fatalf("arc (%d, %d) with flow %g has slack %g at costs up to %g", i, j, x, slack, scale)
			}
			row += x
			columns[j] += x
			primal += x * p.Cost[e]
		}
		if math.Abs(row-p.Supply[i]) > 1e-9*total {
			t.Fatalf("row %d sends %g of %g", i, row, p.Supply[i])
		}
	}
	for j, got := range columns {
		if math.Abs(got-p.Demand[j]) > 1e-9*total {
			t.Fatalf("column %d gets %g of %g", j, got, p.Demand[j])
		}
	}
	if positive > p.Rows+p.Cols-1 {
		t.Fatalf("%d arcs carry flow, a basis has %d", positive, p.Rows+p.Cols-1)
	}
	if gap := math.Abs(primal - dual); gap > 1e-9*scale*total {
		t.Fatalf("objective %g, dual objective %g", primal, dual)
	}
	if math.Abs(primal-s.Objective) > 1e-9*scale*total {
		t.Fatalf("objective %g is given as %g", primal, s.Objective)
	}
}
