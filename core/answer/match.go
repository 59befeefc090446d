package answer

import (
	"cmp"
	"slices"
)

// Region is the part of the (preprocessed, square) input image that a node was
// computed from, in fractions of its side: 0 ≤ X0 < X1 ≤ 1, from the top left.
type Region struct{ X0, Y0, X1, Y1 float32 }

// Match is one match, seen from one of its two pictures: mass goes from the
// nodes of From to those of To. It shares no memory with the solver.
type Match struct {
	// Score is the score of the match: the sum of the scores of all links.
	Score float64
	// Total is the weight of either side: the query's number of nodes.
	Total float64
	// Temperature is the factor between similarities and scores.
	Temperature float64
	// From and To are the two pictures, the query and the support unless reversed.
	From, To Side
	// Similarity, [From.N(), To.N()], holds the cosines of the centred nodes; the
	// cost of sending is one minus it.
	Similarity []float64
	// Flow, [From.N(), To.N()], is the mass that each pair exchanges: rows sum to
	// From.Weights, columns to To.Weights.
	Flow []float64
}

// Link is a pair of nodes that exchange mass.
type Link struct {
	From, To   int
	Flow       float64
	Similarity float64
	Score      float64 // what the pair adds to the score
}

// Reverse returns the same match as seen from the other picture. The sides'
// slices are shared.
func (m *Match) Reverse() *Match {
	r := *m
	r.From, r.To = m.To, m.From
	r.Similarity = transposed(m.Similarity, m.From.N(), m.To.N())
	r.Flow = transposed(m.Flow, m.From.N(), m.To.N())
	return &r
}

// transposed returns a matrix of rows×columns with the two exchanged.
func transposed(m []float64, rows, columns int) []float64 {
	t := make([]float64, len(m))
	for i := range rows {
		for j := range columns {
			t[j*rows+i] = m[i*columns+j]
		}
	}
	return t
}

// Best returns the node of To that receives most from node i of From; of equal
// ones, the most similar. It is -1 for a node that sends nothing.
func (m *Match) Best(i int) int {
	n, best := m.To.N(), -1
	for j, x := range m.Flow[i*n:][:n] {
		switch {
		case x <= 0:
		case best < 0, x > m.Flow[i*n+best]:
			best = j
		case x == m.Flow[i*n+best] && m.Similarity[i*n+j] > m.Similarity[i*n+best]:
			best = j
		}
	}
	return best
}

// Sends returns the links from node i of From, largest flow first, of equal flows
// the more similar first. It leaves out links below the share least of the node's
// weight; with 0 it returns every flow above zero. (The exact solver leaves few;
// those with regularisation send a little everywhere.)
func (m *Match) Sends(i int, least float64) []Link {
	var links []Link
	n := m.To.N()
	for j, x := range m.Flow[i*n:][:n] {
		if x > 0 && x >= least*m.From.Weights[i] {
			links = append(links, m.link(i, j))
		}
	}
	sortLinks(links)
	return links
}

// Links returns all links, in the order of Sends. It leaves out links below the
// share least of the total weight; with 0 it returns every flow above zero.
func (m *Match) Links(least float64) []Link {
	var links []Link
	for k, x := range m.Flow {
		if x > 0 && x >= least*m.Total {
			links = append(links, m.link(k/m.To.N(), k%m.To.N()))
		}
	}
	sortLinks(links)
	return links
}

// link describes a pair.
func (m *Match) link(i, j int) Link {
	k := i*m.To.N() + j
	return Link{i, j, m.Flow[k], m.Similarity[k], m.Temperature / m.Total * m.Similarity[k] * m.Flow[k]}
}

// sortLinks sorts by flow, then by similarity, largest first. Links equal in both
// keep the order of the nodes.
func sortLinks(links []Link) {
	slices.SortStableFunc(links, func(a, b Link) int {
		if c := cmp.Compare(b.Flow, a.Flow); c != 0 {
			return c
		}
		return cmp.Compare(b.Similarity, a.Similarity)
	})
}

// Evidence writes what each node of From adds to the score into dst, [From.N()], which
// grows if it is too short, and returns it: the sum of the scores of its links, below 0
// where it is matched with what it does not look like. The values sum to Score.
func (m *Match) Evidence(dst []float64) []float64 {
	dst = dst[:0]
	n := m.To.N()
	for i := range m.From.N() {
		sum := 0.0
		for j, x := range m.Flow[i*n:][:n] {
			sum += x * m.Similarity[i*n+j]
		}
		dst = append(dst, sum*m.Temperature/m.Total)
	}
	return dst
}
