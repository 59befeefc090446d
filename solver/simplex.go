package solver

import (
	"math"
	"slices"
)

// maxNodes bounds rows and columns together: tree links are int32 and the fixed
// point keeps bits for sums along a path.
const maxNodes = 1 << 24

// Simplex is a reusable workspace of the transportation simplex method. The zero
// value is ready; it grows to the largest problem seen and then allocates
// nothing. Not safe for concurrent use.
type Simplex struct {
	rows, cols []int32 // rows and columns of the problem with weight, in order
	weight     []int64 // of each node, rows before columns, in fixed point; then what is left of it
	cost       []int64 // [len(rows), stride] in fixed point, centred
	stride     int     // of cost: len(cols), rounded up to whole vectors
	mean       []int64 // what centring took from each node's costs

	share, columnMean, gathered []float64 // of centring

	tree    tree
	start   start
	pricing pricing

	flow []float64
	dual []float64
}

// Solve finds an optimal flow of p, exact up to the rounding described in the
// package comment.
//
// # Errors
//
// ErrShape, ErrEmpty, ErrNotFinite, ErrNegative, ErrUnbalanced and ErrOverflow,
// wrapped with the entry at fault and the remedy. There is no failure to converge:
// the strongly feasible trees make the number of pivots finite.
func (s *Simplex) Solve(p *Problem) (Solution, error) {
	if err := p.validateShape(); err != nil {
		return Solution{}, err
	}
	weightScale, err := s.loadWeights(p)
	if err != nil {
		return Solution{}, err
	}
	costScale, err := s.loadCosts(p)
	if err != nil {
		return Solution{}, err
	}
	m, k := len(s.rows), len(s.cols)
	s.start.build(&s.tree, s.cost, s.weight, m, k, s.stride)
	pivots := s.optimise(m, k)
	sol := s.solution(p, weightScale, costScale)
	if !sol.finite() {
		return Solution{}, overflow()
	}
	sol.Pivots = pivots
	return sol, nil
}

// finite reports whether the optimum and all duals are. Flows are never larger than the
// weights.
func (s *Solution) finite() bool {
	return finite(s.Objective) && !slices.ContainsFunc(s.U, beyond) && !slices.ContainsFunc(s.V, beyond)
}

func beyond(x float64) bool { return !finite(x) }

// solution translates the optimal tree back to the problem's own numbers.
func (s *Simplex) solution(p *Problem, weightScale, costScale int) Solution {
	m, k := len(s.rows), len(s.cols)
	s.flow = slices.Grow(s.flow[:0], p.Rows*p.Cols)[:p.Rows*p.Cols]
	s.dual = slices.Grow(s.dual[:0], p.Rows+p.Cols)[:p.Rows+p.Cols]
	clear(s.flow)
	sol := Solution{Flow: s.flow, U: s.dual[:p.Rows], V: s.dual[p.Rows:]}

	wf, wi := pow2(-weightScale)
	for x, nd := range s.tree.nodes[:m+k] {
		if nd.parent < 0 {
			continue
		}
		i, j := x, int(nd.parent)
		if x >= m {
			i, j = j, i
		}
		f := float64(s.tree.flow[x]) * wf * wi
		e := int(s.rows[i])*p.Cols + int(s.cols[j-m])
		s.flow[e] = f
		sol.Objective += f * p.Cost[e]
	}
	cf, ci := pow2(-costScale)
	for i, r := range s.rows {
		sol.U[r] = float64(s.mean[i]-s.tree.pot[i]) * cf * ci
	}
	for j, c := range s.cols {
		sol.V[c] = float64(s.mean[m+j]+s.tree.pot[m+j]) * cf * ci
	}
	if m < p.Rows || k < p.Cols {
		s.extendDuals(p, sol.U, sol.V)
	}
	return sol
}

// extendDuals gives the nodes without weight the largest duals that the others
// allow: U_i + V_j ≤ Cost_ij then holds everywhere.
func (s *Simplex) extendDuals(p *Problem, u, v []float64) {
	at := 0
	for j := range v {
		if at < len(s.cols) && int(s.cols[at]) == j {
			at++
			continue
		}
		v[j] = math.Inf(1)
		for _, i := range s.rows {
			v[j] = min(v[j], p.Cost[int(i)*p.Cols+j]-u[i])
		}
	}
	at = 0
	for i := range u {
		if at < len(s.rows) && int(s.rows[at]) == i {
			at++
			continue
		}
		u[i] = math.Inf(1)
		for j, c := range p.Cost[i*p.Cols:][:p.Cols] {
			u[i] = min(u[i], c-v[j])
		}
	}
}
