package solver

import (
	"math"
	"math/bits"
	"slices"
)

// Solve rounds costs toward zero, each by less than one unit. The duals of the rounded problem,
// lowered by a unit if costs are negative, are feasible for the given problem. The rounding errors
// on the arcs of the flow therefore bound its distance from the optimum.

// Gap bounds the cost of a flow above the optimum, relative to Σ|Cost_ij|·Flow_ij.
const Gap = 1e-9

// certified reports whether the latest flow of p is optimal within Gap. Costs were scaled by
// 2^costScale.
func (s *Simplex) certified(p *Problem, costScale int) bool {
	if s.units(2*s.total, costScale) <= Gap*s.gross {
		return true
	}
	gap := 0.0
	f, g := pow2(costScale)
	for _, i := range s.rows {
		for _, j := range s.cols {
			e := int(i)*p.Cols + int(j)
			if p.Cost[e] < 0 {
				return false // the bound above applies
			}
			scaled := p.Cost[e] * f * g
			gap += s.flow[e] * (scaled - math.Floor(scaled))
		}
	}
	return s.units(gap, costScale) <= Gap*s.gross
}

// units converts n units of costs, scaled by 2^costScale, to the given costs.
func (s *Simplex) units(n float64, costScale int) float64 {
	f, g := pow2(-costScale)
	return n * f * g
}

// capped returns p with all costs limited to a bound that no optimal flow pays: in a cycle of at most
// n arcs that changes the latest flow, one arc of that cost outweighs the savings of all others.
// The optimal flow is the same in both problems, and the duals are feasible in both. capped reports
// false if no cost exceeds the bound.
func (s *Simplex) capped(p *Problem) (*Problem, bool) {
	lowest, paid := math.Inf(1), math.Inf(-1)
	for _, i := range s.rows {
		for _, j := range s.cols {
			e := int(i)*p.Cols + int(j)
			lowest = min(lowest, p.Cost[e])
			if s.flow[e] > 0 {
				paid = max(paid, p.Cost[e])
			}
		}
	}
	bound := paid + float64(len(s.rows)+len(s.cols))*(paid-lowest)
	lower := *p
	lower.Cost = slices.Clone(p.Cost)
	found := false
	for e, c := range lower.Cost {
		if c > bound {
			lower.Cost[e], found = bound, true
		}
	}
	return &lower, found
}

// refine solves p with more and more bits of its costs, until the flow is certified. Each step
// starts from the optimal tree of the previous one and uses its reduced costs plus the next bits as
// costs. Reduced costs are limited to 2n units, which outweigh all further bits along a cycle of n
// arcs.
//
// (Iterative refinement for linear programs: Gleixner, Steffy, Wolter 2016.)
func (s *Simplex) refine(p *Problem, sol Solution, costScale int) (Solution, error) {
	m, k := len(s.rows), len(s.cols)
	most := 2 * int64(m+k)
	shift := 57 - 2*bits.Len64(uint64(most)) // potentials, sums of costs along a path, stay below 2⁶⁰
	s.rest = slices.Grow(s.rest[:0], m*k)[:m*k]
	f, g := pow2(costScale)
	for i, r := range s.rows {
		for j, c := range s.cols {
			scaled := p.Cost[int(r)*p.Cols+int(c)] * f * g
			s.rest[i*k+j] = scaled - math.Trunc(scaled)
		}
	}
	for gap := math.Inf(1); gap > Gap*s.gross; {
		for i := range m {
			row, rest := s.cost[i*s.stride:][:k], s.rest[i*k:][:k]
			for j, c := range row {
				reduced := min(c+s.tree.pot[i]-s.tree.pot[m+j], most)
				more := math.Ldexp(rest[j], shift)
				whole := math.Floor(more)
				row[j], rest[j] = reduced<<shift+int64(whole), more-whole
			}
		}
		clear(s.mean)
		s.tree.reprice(s.cost, m, s.stride)
		costScale += shift
		sol.Pivots += s.optimize(m, k)
		s.ship(p, &sol)
		s.addDuals(&sol, costScale)

		gap = 0
		for i, r := range s.rows {
			for j, c := range s.cols {
				gap += s.flow[int(r)*p.Cols+int(c)] * s.rest[i*k+j]
			}
		}
		gap = s.units(gap, costScale)
	}
	if m < p.Rows || k < p.Cols {
		s.extendDuals(p, sol.U, sol.V)
	}
	if !sol.finite() {
		return Solution{}, overflow()
	}
	return sol, nil
}

// reprice computes the potentials of the tree for other costs.
func (t *tree) reprice(cost []int64, m, stride int) {
	root := t.root()
	t.pot[root] = 0
	for x := t.nodes[root].next; x != root; x = t.nodes[x].next {
		t.priceLeaf(x, cost, m, stride)
	}
}
