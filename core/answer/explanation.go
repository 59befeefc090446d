package answer

import (
	"cmp"
	"slices"
)

// Region is the part of the (preprocessed, square) input image that a node was
// computed from, in fractions of its side: 0 ≤ X0 < X1 ≤ 1, from the top left.
type Region struct{ X0, Y0, X1, Y1 float32 }

// Explanation is one match, seen from one of its two pictures: mass goes from the
// nodes of From to those of To. It shares no memory with the match.
type Explanation struct {
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
func (e *Explanation) Reverse() *Explanation {
	r := *e
	r.From, r.To = e.To, e.From
	r.Similarity = transposed(e.Similarity, e.From.N(), e.To.N())
	r.Flow = transposed(e.Flow, e.From.N(), e.To.N())
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
func (e *Explanation) Best(i int) int {
	n, best := e.To.N(), -1
	for j, x := range e.Flow[i*n:][:n] {
		switch {
		case x <= 0:
		case best < 0, x > e.Flow[i*n+best]:
			best = j
		case x == e.Flow[i*n+best] && e.Similarity[i*n+j] > e.Similarity[i*n+best]:
			best = j
		}
	}
	return best
}

// Sends returns the links from node i of From, largest flow first, of equal flows
// the more similar first. It leaves out links below the share least of the node's
// weight; with 0 it returns every flow above zero. (The exact solver leaves few;
// those with regularisation send a little everywhere.)
func (e *Explanation) Sends(i int, least float64) []Link {
	var links []Link
	n := e.To.N()
	for j, x := range e.Flow[i*n:][:n] {
		if x > 0 && x >= least*e.From.Weights[i] {
			links = append(links, e.link(i, j))
		}
	}
	sortLinks(links)
	return links
}

// Links returns all links, in the order of Sends. It leaves out links below the
// share least of the total weight; with 0 it returns every flow above zero.
func (e *Explanation) Links(least float64) []Link {
	var links []Link
	for k, x := range e.Flow {
		if x > 0 && x >= least*e.Total {
			links = append(links, e.link(k/e.To.N(), k%e.To.N()))
		}
	}
	sortLinks(links)
	return links
}

// link describes a pair.
func (e *Explanation) link(i, j int) Link {
	k := i*e.To.N() + j
	return Link{i, j, e.Flow[k], e.Similarity[k], e.Temperature / e.Total * e.Similarity[k] * e.Flow[k]}
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
func (e *Explanation) Evidence(dst []float64) []float64 {
	dst = dst[:0]
	n := e.To.N()
	for i := range e.From.N() {
		sum := 0.0
		for j, x := range e.Flow[i*n:][:n] {
			sum += x * e.Similarity[i*n+j]
		}
		dst = append(dst, sum*e.Temperature/e.Total)
	}
	return dst
}
