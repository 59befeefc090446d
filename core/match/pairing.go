package match

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/solver"
)

// Pairing is a query and a support with their similarities and weights, before the flow is known.
// Bound returns an upper bound of the score; Solve and SolveFrom compute it. To find the best of
// many matches, solve only those with a sufficient bound.
//
// A pairing uses the memory of its matcher and is valid until the matcher's next call. Methods of
// an invalid pairing panic.
type Pairing struct {
	matcher *Matcher
	number  uint64 // the matcher's pairs when it was made
}

// Pair computes the similarities and weights of two sets that this matcher prepared. It allocates
// nothing for sets of earlier sizes.
//
// Errors: ErrChannels for sets of different networks, ErrNotFinite if weights overflow.
func (m *Matcher) Pair(query, support *Prepared) (Pairing, error) {
	m.pairs++
	if query.C() != support.C() {
		return Pairing{}, fmt.Errorf("match: query has %d channels, support has %d: %w: embed both with the same weights",
			query.C(), support.C(), ErrChannels)
	}
	nq, ns := query.N(), support.N()
	r := &m.match
	r.Similarity = slices.Grow(r.Similarity[:0], nq*ns)[:nq*ns]
	r.QueryWeights = slices.Grow(r.QueryWeights[:0], nq)[:nq]
	r.SupportWeights = slices.Grow(r.SupportWeights[:0], ns)[:ns]
	values, row, col := m.cosines.withMeans(query, support)
	for i := range nq {
		similarity := r.Similarity[i*ns:][:ns]
		for j := range similarity {
			similarity[j] = float64(values[i*row+j*col])
		}
	}
	if _, ok := m.weighting().(CrossReference); ok {
		CrossReference{}.fromProduct(r.QueryWeights, query, support, values[ns*col:], row)
		CrossReference{}.fromProduct(r.SupportWeights, support, query, values[nq*row:], col)
	} else {
		m.weighting().Weigh(r.QueryWeights, query, support)
		m.weighting().Weigh(r.SupportWeights, support, query)
	}
	// Both sides sum to the query's number of nodes. The flow then averages similarities, also
	// between sets of different sizes, and sets of equal size have the reference's scale.
	for _, side := range [...]struct {
		name    string
		weights []float64
	}{{"query", r.QueryWeights}, {"support", r.SupportWeights}} {
		if _, ok := Normalize(side.weights, float64(nq)); !ok {
			return Pairing{}, fmt.Errorf("match: %s: %s weights overflow: %w: the weights file is damaged or of another network",
				side.name, m.weighting(), ErrNotFinite)
		}
	}
	return Pairing{m, m.pairs}, nil
}

// current returns the matcher, unless the pairing has ended.
func (p Pairing) current() *Matcher {
	if p.matcher == nil || p.number != p.matcher.pairs {
		panic("match: the pairing is outdated: its matcher has a newer pair")
	}
	return p.matcher
}

// Solve finds the optimal flow. The result is valid as long as the pairing. Errors come from the
// solver.
func (p Pairing) Solve() (*Match, error) { return p.SolveFrom(nil) }

// SolveFrom is Solve, but starts from the basis in memory, if any, and writes the new one.
func (p Pairing) SolveFrom(memory *Memory) (*Match, error) {
	m := p.current()
	r := &m.match
	nq, ns := len(r.QueryWeights), len(r.SupportWeights)
	cost := slices.Grow(m.problem.Cost[:0], nq*ns)[:nq*ns]
	for i, s := range r.Similarity {
		cost[i] = 1 - s
	}
	m.problem = solver.Problem{Rows: nq, Cols: ns, Cost: cost, Supply: r.QueryWeights, Demand: r.SupportWeights}
	var err error
	if r.Flow, err = m.flow(memory); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	r.Temperature = m.temperature()
	r.Score = r.Temperature / float64(nq) * weightedSum(r.Similarity, r.Flow)
	return r, nil
}

// Dense connects every pair of nodes in proportion to their weights, x_ij = s_i·d_j/Σs, without
// optimization (the dense connections of DeepEMD, Table 2). The score with Equal weights is the
// mean of all similarities.
//
// The zero value is ready to use.
type Dense struct{ flow []float64 }

// Forward implements Solver. The error is always nil.
func (d *Dense) Forward(p *solver.Problem) ([]float64, error) {
	var total float64
	for _, s := range p.Supply {
		total += s
	}
	d.flow = slices.Grow(d.flow[:0], p.Rows*p.Cols)[:p.Rows*p.Cols]
	for i, s := range p.Supply {
		share := s / total
		for j, w := range p.Demand {
			d.flow[i*p.Cols+j] = share * w
		}
	}
	return d.flow, nil
}

// Bound returns an upper bound of the score, in four passes over the similarities. Classifiers use
// it to skip matches that cannot win.
//
// The score is a linear program, and its dual is the bound (DeepEMD, equation 1): prices with u_i +
// v_j ≥ s_ij for all pairs give
//
//	Σ x_ij·s_ij ≤ Σ x_ij·(u_i + v_j) = Σ w_i·u_i + Σ w_j·v_j.
//
// First every query node has the price of its best partner, u_i = max_j s_ij, and the support nodes
// reduce the total by v_j = max_i (s_ij − u_i) ≤ 0; then the same with query and support exchanged.
// Bound returns the lower of the two results.
func (p Pairing) Bound() float64 {
	m := p.current()
	r := &m.match
	nq, ns := len(r.QueryWeights), len(r.SupportWeights)
	m.dual = slices.Grow(m.dual[:0], nq+ns)[:nq+ns]
	u, v := m.dual[:nq], m.dual[nq:]
	clear(v)
	raise(u, v, r.Similarity, ns, 1)
	raise(v, u, r.Similarity, 1, ns)
	best := weightedSum(u, r.QueryWeights) + weightedSum(v, r.SupportWeights)
	clear(u)
	raise(v, u, r.Similarity, 1, ns)
	raise(u, v, r.Similarity, ns, 1)
	best = min(best, weightedSum(u, r.QueryWeights)+weightedSum(v, r.SupportWeights))
	return m.temperature() / float64(nq) * best
}

// raise sets the lowest prices that other allows: dst[i] = max_j s_ij − other[j]. The index of s_ij
// is i·row + j·col.
func raise(dst, other, similarity []float64, row, col int) {
	for i := range dst {
		s := similarity[i*row:]
		highest := s[0] - other[0]
		for j, price := range other {
			highest = max(highest, s[j*col]-price)
		}
		dst[i] = highest
	}
}

// weightedSum returns Σ values·weights.
func weightedSum(values, weights []float64) float64 {
	var sum float64
	for i, v := range values {
		sum += v * weights[i]
	}
	return sum
}
