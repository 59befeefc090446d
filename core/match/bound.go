package match

import "slices"

// Bound returns an upper bound of the pairing's score, for the cost of four passes
// over the similarities. Classifiers use it to solve only the matches that can win.
//
// The score is a linear program, whose dual bounds it (DeepEMD, equation 1): any
// prices with u_i + v_j ≥ s_ij for all pairs give
//
//	Σ x_ij·s_ij ≤ Σ x_ij·(u_i + v_j) = Σ w_i·u_i + Σ w_j·v_j.
//
// Every query node first takes its best partner, u_i = max_j s_ij, and the support
// nodes give back the difference, v_j = max_i (s_ij − u_i) ≤ 0; then the same from
// the other side. The lower of the two bounds counts.
func (p Pairing) Bound() float64 {
	m := p.met()
	r := &m.match
	nq, ns := len(r.QueryWeights), len(r.SupportWeights)
	m.dual = slices.Grow(m.dual[:0], nq+ns)[:nq+ns]
	u, v := m.dual[:nq], m.dual[nq:]
	clear(v)
	raise(u, v, r.Similarity, ns, 1)
	raise(v, u, r.Similarity, 1, ns)
	best := worth(u, r.QueryWeights) + worth(v, r.SupportWeights)
	clear(u)
	raise(v, u, r.Similarity, 1, ns)
	raise(u, v, r.Similarity, ns, 1)
	best = min(best, worth(u, r.QueryWeights)+worth(v, r.SupportWeights))
	return m.temperature() / float64(nq) * best
}

// raise sets prices to the lowest that others allow: dst[i] = max_j s_ij − other[j],
// with the similarities of i row apart and those of j col.
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

// worth is the sum of prices by weights.
func worth(prices, weights []float64) float64 {
	var sum float64
	for i, p := range prices {
		sum += p * weights[i]
	}
	return sum
}
