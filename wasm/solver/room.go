package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/solver"
)

// sharedMemory is the memory that JavaScript and the solver share: count problems of one shape, and their
// solutions, in this order:
//
//	cost      [count, rows, cols]
//	supply    [count, rows]
//	demand    [count, cols]
//	flow      [count, rows, cols]
//	u         [count, rows]
//	v         [count, cols]
//	objective [count]
//
// wasm/npm/solver-program.js computes the same offsets.
type sharedMemory struct {
	count, rows, cols int
	values            []float64
	simplex           solver.Simplex
	fault             []byte // error of solve
}

// arrange resizes the room and returns its values.
func (r *sharedMemory) arrange(count, rows, cols int) []float64 {
	r.count, r.rows, r.cols = count, rows, cols
	n := count * (2*rows*cols + 2*rows + 2*cols + 1)
	if cap(r.values) < n {
		r.values = nil // free it before the allocation
		r.values = make([]float64, n)
	}
	r.values = r.values[:n]
	return r.values
}

// solve solves the problems in the room, up to the first error, and returns the number of solved
// ones.
//
// If supplies and demands have sums that differ by less than the tolerance, relative to the larger
// sum, it scales the demands. Differences below [solver.Imbalance] are always accepted.
func (r *sharedMemory) solve(tolerance float64) int {
	rest := r.values
	take := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	cells := r.rows * r.cols
	cost, supply, demand := take(r.count*cells), take(r.count*r.rows), take(r.count*r.cols)
	flow, u, v, objective := take(r.count*cells), take(r.count*r.rows), take(r.count*r.cols), take(r.count)
	for n := range r.count {
		p := solver.Problem{
			Rows: r.rows, Cols: r.cols,
			Cost:   cost[n*cells:][:cells],
			Supply: supply[n*r.rows:][:r.rows],
			Demand: demand[n*r.cols:][:r.cols],
		}
		level(&p, tolerance)
		solution, err := r.simplex.Solve(&p)
		if err != nil {
			r.fault = r.fault[:0]
			if r.count > 1 {
				r.fault = append(r.fault, "problem "+strconv.Itoa(n)+" of "+strconv.Itoa(r.count)+": "...)
			}
			r.fault = append(r.fault, strings.TrimPrefix(err.Error(), "solver: ")...)
			return n
		}
		copy(flow[n*cells:], solution.Flow)
		copy(u[n*r.rows:], solution.U)
		copy(v[n*r.cols:], solution.V)
		objective[n] = solution.Objective
	}
	return r.count
}

// level scales the demands to the sum of the supplies if the sums differ by less than the tolerance.
func level(p *solver.Problem, tolerance float64) {
	supply, demand := total(p.Supply), total(p.Demand)
	if off := math.Abs(supply - demand); off > 0 && off <= tolerance*max(supply, demand) {
		for j := range p.Demand {
			p.Demand[j] *= supply / demand
		}
	}
}

func total(weights []float64) (total float64) {
	for _, w := range weights {
		total += w
	}
	return total
}
