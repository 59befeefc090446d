// Package solvertest generates the transport problems of the solver's tests and benchmarks,
// including those of its peers. The same seed gives the same problem on every machine.
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
	centre(query)
	centre(support)
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

// gaussian returns a random vector of the given expected length.
func gaussian(rng *rand.Rand, channels int, length float64) []float64 {
	v := make([]float64, channels)
	for i := range v {
		v[i] = rng.NormFloat64() * length / math.Sqrt(float64(channels))
	}
	return v
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

// centre subtracts the channel mean of each node.
func centre(nodes [][]float64) {
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
