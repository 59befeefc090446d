package answer

import (
	"cmp"
	"slices"
)

// Match is a match, seen from one of its two pictures: mass flows from the nodes of From to the
// nodes of To. It shares no memory with the solver.
type Match struct {
	Score       float64   // the similarity of the two: the sum of the links' scores. With the classifier "nearest" it equals the logit of the class
	Total       float64   // the sum of the weights of each side: the number of nodes of the query
	Temperature float64   // the factor between similarities and scores
	From        Side      `wire:"query"`   // nodes of the query, or of the support if reversed
	To          Side      `wire:"support"` // nodes of the other picture
	Flow        []Link    // pairs of nodes that exchange mass, the largest flow first, equal flows by similarity
	Similarity  []float64 `ts:"Float32Array"` // [query.length, support.length], row by row: the cosine of every pair of centered nodes; the cost of a pair is one minus it
}

// Link is a pair of nodes that exchange mass.
type Link struct {
	From       int     // the index of the node in query
	To         int     // the index of the node in support
	Flow       float64 `wire:"amount"` // the mass
	Similarity float64 // the similarity of the two nodes, −1 to 1
	Score      float64 // the contribution to the score of the match: temperature / total · similarity · amount
}

// SetFlow sets Flow from the flow of all pairs, [From.N(), To.N()]. It uses the other fields.
func (m *Match) SetFlow(flow []float64) {
	m.Flow = nil
	for k, x := range flow {
		if x > 0 {
			m.Flow = append(m.Flow, Link{k / m.To.N(), k % m.To.N(), x, m.Similarity[k], m.Temperature / m.Total * m.Similarity[k] * x})
		}
	}
	m.sort()
}

func (m *Match) sort() {
	slices.SortFunc(m.Flow, func(a, b Link) int {
		return cmp.Or(cmp.Compare(b.Flow, a.Flow), cmp.Compare(b.Similarity, a.Similarity), a.From-b.From, a.To-b.To)
	})
}

// Reverse returns the match as seen from the other picture. It shares the sides.
func (m *Match) Reverse() *Match {
	r := *m
	r.From, r.To = m.To, m.From
	r.Similarity = make([]float64, len(m.Similarity))
	for k, s := range m.Similarity {
		r.Similarity[k%m.To.N()*m.From.N()+k/m.To.N()] = s
	}
	r.Flow = slices.Clone(m.Flow)
	for i := range r.Flow {
		r.Flow[i].From, r.Flow[i].To = m.Flow[i].To, m.Flow[i].From
	}
	r.sort()
	return &r
}

// Best returns the node of To that receives most from node i of From, with equal flows the most
// similar, or -1 if i sends nothing.
func (m *Match) Best(i int) int {
	for _, l := range m.Flow {
		if l.From == i {
			return l.To
		}
	}
	return -1
}

// Mass returns the mass that flows from node i of From to node j of To.
func (m *Match) Mass(i, j int) float64 {
	for _, l := range m.Flow {
		if l.From == i && l.To == j {
			return l.Flow
		}
	}
	return 0
}

// Sends returns the links from node i of From, in the order of Flow, without links below the share
// least of the node's weight. (Solvers with regularization send a little everywhere.)
func (m *Match) Sends(i int, least float64) []Link {
	var links []Link
	for _, l := range m.Flow {
		if l.From == i && l.Flow >= least*m.From[i].Weight {
			links = append(links, l)
		}
	}
	return links
}

// Links returns a copy of Flow without links below the share least of the total weight.
func (m *Match) Links(least float64) []Link {
	n := slices.IndexFunc(m.Flow, func(l Link) bool { return l.Flow < least*m.Total })
	if n < 0 {
		n = len(m.Flow)
	}
	return slices.Clone(m.Flow[:n])
}

// Evidence returns the contribution of each node of From to the score, [From.N()]: the sum of the
// scores of its links, negative for dissimilar nodes. The values sum to Score.
func (m *Match) Evidence() []float64 {
	evidence := make([]float64, m.From.N())
	for _, l := range m.Flow {
		evidence[l.From] += l.Score
	}
	return evidence
}

// Explanation explains the score of a class: the match of the picture with the most similar example
// of the class.
type Explanation struct {
	ClassID   string // the class
	Label     string // its name
	ExampleID string // the example
	Match
	// The terms of the logit of every class, in order: the match with all of its examples, and the
	// head of the classifier "mixture". Absent with other classifiers, after training, and if there
	// is only one class.
	Head []Shares `wire:",omitempty"`
}

// Shares holds the two terms of a class's logit, both multiplied by the sharpness that converts
// logits to probabilities (see fewshot.Mixture).
type Shares struct {
	ClassID string  // the class
	Label   string  // its name
	Match   float64 // the match with all of its examples
	Head    float64 // the head, learned from the examples
}
