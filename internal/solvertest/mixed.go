package solvertest

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/solver"
)

// Mixed returns count problems of up to side rows and columns, of all the kinds that have
// broken such solvers: ties, equal weights, zero weights, many decades, negative and
// constant costs.
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
		p.Supply[0]++ // something to send
		p.Demand[0]++
		scale := sum(p.Supply) / sum(p.Demand)
		for j := range p.Demand {
			p.Demand[j] *= scale
		}
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
	supply, demand := 0.0, 0.0
	for _, w := range p.Supply {
		supply += w
	}
	for _, w := range p.Demand {
		demand += w
	}
	for j := range p.Demand {
		p.Demand[j] *= supply / demand
	}
}
