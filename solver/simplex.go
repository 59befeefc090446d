package solver

import (
	"math"
	"slices"
)

// maxNodes bounds the number of rows and columns together: tree links are int32, and the fixed
// point reserves bits for sums along a path.
const maxNodes = 1 << 24

// Simplex is a reusable workspace of the transportation simplex method. The zero value is ready to
// use. It grows to the largest problem and then allocates nothing. It is not safe for concurrent
// use.
type Simplex struct {
	rows, cols []int32 // rows and columns with weight, ascending
	weight     []int64 // of each node, rows before columns, in fixed point; the start reduces it to zero
	cost       []int64 // [len(rows), stride], in fixed point, centered
	stride     int     // of cost: len(cols), rounded up to full vectors
	mean       []int64 // the means that centering subtracted from costs

	share, columnMean, gathered []float64 // working memory of centering

	tree    tree
	start   start
	pricing pricing

	flow []float64
	dual []float64

	weightScale int       // binary exponent by which weights were scaled
	total       float64   // weight of the latest flow
	gross       float64   // Σ |Cost|·Flow of the latest flow
	rest        []float64 // [len(rows), len(cols)], rounding errors of the costs, for refine
}

// Solve finds an optimal flow of p, exact up to the rounding in the package comment.
//
// # Errors
//
// ErrShape, ErrEmpty, ErrNotFinite, ErrNegative, ErrUnbalanced and ErrOverflow, wrapped with the
// place and the remedy. Solve always converges, because strongly feasible trees make the number of
// pivots finite.
func (s *Simplex) Solve(p *Problem) (Solution, error) {
	for {
		sol, costScale, err := s.solve(p)
		if err != nil || s.certified(p, costScale) {
			return sol, err
		}
		lower, ok := s.capped(p)
		if !ok {
			return s.refine(p, sol, costScale)
		}
		p = lower
	}
}

// solve solves p with its costs rounded.
func (s *Simplex) solve(p *Problem) (sol Solution, costScale int, err error) {
	if err := p.validateShape(); err != nil {
		return Solution{}, 0, err
	}
	weightScale, err := s.loadWeights(p)
	if err != nil {
		return Solution{}, 0, err
	}
	if costScale, err = s.loadCosts(p); err != nil {
		return Solution{}, 0, err
	}
	m, k := len(s.rows), len(s.cols)
	s.start.build(&s.tree, s.cost, s.weight, m, k, s.stride)
	s.weightScale = weightScale
	sol.Pivots = s.optimize(m, k)
	s.ship(p, &sol)
	s.price(p, &sol, costScale)
	if !sol.finite() {
		return Solution{}, 0, overflow()
	}
	return sol, costScale, nil
}

// finite reports whether the objective and all duals are finite. Flows never exceed the weights.
func (s *Solution) finite() bool {
	return finite(s.Objective) && !slices.ContainsFunc(s.U, notFinite) && !slices.ContainsFunc(s.V, notFinite)
}

func notFinite(x float64) bool { return !finite(x) }

// ship writes the flow of the optimal tree and its objective, in the units of p.
func (s *Simplex) ship(p *Problem, sol *Solution) {
	s.flow = slices.Grow(s.flow[:0], p.Rows*p.Cols)[:p.Rows*p.Cols]
	clear(s.flow)
	sol.Flow, sol.Objective, s.gross, s.total = s.flow, 0, 0, 0
	wf, wi := pow2(-s.weightScale)
	for x, nd := range s.tree.nodes[:len(s.rows)+len(s.cols)] {
		if nd.parent < 0 {
			continue
		}
		f := float64(s.tree.flow[x]) * wf * wi
		arc := s.arcOf(int32(x))
		e := int(s.rows[arc.row])*p.Cols + int(s.cols[arc.col])
		s.flow[e] = f
		paid := f * p.Cost[e]
		sol.Objective += paid
		s.gross += math.Abs(paid)
		s.total += f
	}
}

// price writes the duals of the optimal tree, in the units of p.
func (s *Simplex) price(p *Problem, sol *Solution, costScale int) {
	m, k := len(s.rows), len(s.cols)
	s.dual = slices.Grow(s.dual[:0], p.Rows+p.Cols)[:p.Rows+p.Cols]
	clear(s.dual)
	sol.U, sol.V = s.dual[:p.Rows], s.dual[p.Rows:]
	s.addDuals(sol, costScale)
	if m < p.Rows || k < p.Cols {
		s.extendDuals(p, sol.U, sol.V)
	}
}

// addDuals adds the potentials of the tree, and the means that centering subtracted, to the duals.
func (s *Simplex) addDuals(sol *Solution, costScale int) {
	f, g := pow2(-costScale)
	m := len(s.rows)
	for i, r := range s.rows {
		sol.U[r] += float64(s.mean[i]-s.tree.pot[i]) * f * g
	}
	for j, c := range s.cols {
		sol.V[c] += float64(s.mean[m+j]+s.tree.pot[m+j]) * f * g
	}
}

// extendDuals sets the duals of nodes without weight to the largest feasible values, so that U_i +
// V_j ≤ Cost_ij for all pairs.
func (s *Simplex) extendDuals(p *Problem, u, v []float64) {
	for j := range v {
		if slices.Contains(s.cols, int32(j)) {
			continue
		}
		v[j] = math.Inf(1)
		for _, i := range s.rows {
			v[j] = min(v[j], p.Cost[int(i)*p.Cols+j]-u[i])
		}
	}
	for i := range u {
		if slices.Contains(s.rows, int32(i)) {
			continue
		}
		u[i] = math.Inf(1)
		for j, c := range p.Cost[i*p.Cols:][:p.Cols] {
			u[i] = min(u[i], c-v[j])
		}
	}
}

// pricing chooses the entering arc from candidate lists (multiple pricing; Glover et al. 1974). A
// sweep over a block of rows lists all arcs with negative reduced cost, and the best arc of the
// list enters until none is left; then it sweeps the next block. If a sweep of all rows finds no
// arc, the basis is optimal.
type pricing []candidate

// candidate is an arc that had a negative reduced cost when it was listed.
type candidate struct {
	cost     int64
	row, col int32 // nodes
}

const (
	// pricingBlock is the number of rows in a sweep: the fastest from 8 to 32, for n = 9 to n =
	// 100.
	pricingBlock = 13
	// sweepLanes divides the stride of the costs. It is the longest vector of a sweep.
	sweepLanes = 8
	// never is a cost above all reduced costs, which otherwise stay below 2⁶⁰.
	never = 1 << 61
)

// optimize pivots until the basis is optimal and returns the number of pivots.
func (s *Simplex) optimize(m, k int) (pivots int) {
	t := &s.tree
	most := min(m, pricingBlock)*s.stride + sweepLanes
	s.pricing = slices.Grow(s.pricing[:0], most)[:most]
	list := s.pricing
	columns := t.pot[m:][:s.stride]
	row, swept := 0, 0
	for swept < m {
		block := min(pricingBlock, m-row, m-swept)
		listed := sweep(list, s.cost[row*s.stride:], columns, t.pot[row:row+block], int32(row), int32(m))
		row += block
		if row == m {
			row = 0
		}
		swept += block
		for {
			var best int
			var reduced int64
			listed, best, reduced = filter(list[:listed], t.pot)
			if listed == 0 {
				break
			}
			t.pivot(list[best].row, list[best].col, reduced)
			pivots++
			swept = 0
		}
	}
	return pivots
}

// filter keeps the arcs whose reduced cost is still negative. It returns their number, and the
// index and reduced cost of the lowest.
func filter(list []candidate, pot []int64) (n, at int, best int64) {
	for _, c := range list {
		r := c.cost + pot[c.row] - pot[c.col]
		list[n] = c
		if r < best {
			at = n
		}
		best = min(r, best)
		if r < 0 {
			n++
		}
	}
	return n, at, best
}

// sweep is sweepGeneric or a vectorized version, which init selects.
var sweep = sweepGeneric

// sweepGeneric lists the arcs (i, j) with cost_ij + u_i < v_j and returns their number. The rows
// are row, row+1, … with potentials u, the columns m, m+1, … with potentials v, and cost is
// [len(u), len(v)]. list has room for all arcs and one more vector.
func sweepGeneric(list []candidate, cost, v, u []int64, row, m int32) (n int) {
	stride := len(v)
	for i, u := range u {
		cost := cost[i*stride:][:stride]
		for j := 0; j+4 <= len(cost); j += 4 {
			c, w := (*[4]int64)(cost[j:]), (*[4]int64)(v[j:])
			if (c[0]+u-w[0])|(c[1]+u-w[1])|(c[2]+u-w[2])|(c[3]+u-w[3]) < 0 {
				for e := range 4 {
					list[n] = candidate{c[e], row + int32(i), m + int32(j+e)}
					if c[e]+u < w[e] {
						n++
					}
				}
			}
		}
	}
	return n
}
