package match

import (
	"fmt"

	"deepemd/core/embed"
	"deepemd/solver"
)

// Temperature is the reference's factor between similarities and logits.
const Temperature = 12.5

// Matcher matches pictures. Its zero value is ready for use and matches as the
// reference does; it keeps its working memory between calls, so that matching
// sets of the same sizes again allocates nothing. It is not safe for concurrent
// use, Prepared sets are.
type Matcher struct {
	// Weighting weighs the nodes; nil stands for CrossReference.
	Weighting Weighting
	// Temperature scales scores; 0 stands for 12.5.
	Temperature float64

	query, support Prepared  // of the calls that take unprepared sets
	match          Match     // the latest result
	packed         []float32 // a support that is not, see pack
	cosines        []float32 // [Nq, columns(Ns)]
	problem        solver.Problem
	simplex        solver.Simplex
}

// Match is the optimal matching of a query with a support, Nq and Ns nodes.
type Match struct {
	// Score is T/Nq · Σ Similarity·Flow: the similarity of the matched nodes,
	// averaged by the flow, times the temperature. It is a logit.
	Score float64
	// QueryWeights, [Nq], and SupportWeights, [Ns], each sum to Nq.
	QueryWeights, SupportWeights []float64
	// Similarity, [Nq, Ns], holds the cosines of the centred nodes.
	Similarity []float64
	// Flow, [Nq, Ns], says how much of each query node's weight goes to each
	// support node: rows sum to the query's weights, columns to the support's.
	Flow []float64
}

// Score returns the score of a query matched with a support, both as they come
// from an embedder.
//
// Errors name the side at fault: a set that is empty, malformed or not finite
// (see Prepare), sets of different channels (ErrChannels). A score is finite
// whenever the error is nil.
func (m *Matcher) Score(query, support *embed.Set) (float64, error) {
	match, err := m.Match(query, support)
	if err != nil {
		return 0, err
	}
	return match.Score, nil
}

// Match is Score with everything that explains it. The result is the matcher's
// own and valid until its next call.
func (m *Matcher) Match(query, support *embed.Set) (*Match, error) {
	if err := m.query.Reset(query); err != nil {
		return nil, fmt.Errorf("match: query: %w", err)
	}
	if err := m.support.Reset(support); err != nil {
		return nil, fmt.Errorf("match: support: %w", err)
	}
	return m.MatchPrepared(&m.query, &m.support)
}

// ScorePrepared is Score for sets that were prepared before.
func (m *Matcher) ScorePrepared(query, support *Prepared) (float64, error) {
	match, err := m.MatchPrepared(query, support)
	if err != nil {
		return 0, err
	}
	return match.Score, nil
}

// MatchPrepared is Match for sets that were prepared before.
func (m *Matcher) MatchPrepared(query, support *Prepared) (*Match, error) {
	if query.C() != support.C() {
		return nil, fmt.Errorf("match: query has %d channels, support has %d: %w: embed both with the same weights",
			query.C(), support.C(), ErrChannels)
	}
	nq, ns := query.N(), support.N()
	r := &m.match
	cost := resize(m.problem.Cost, nq*ns)
	r.Similarity = resize(r.Similarity, nq*ns)
	m.similarity(query, support)
	stride := columns(ns)
	for i := range nq {
		for j, s := range m.cosines[i*stride:][:ns] {
			r.Similarity[i*ns+j] = float64(s)
			cost[i*ns+j] = 1 - float64(s)
		}
	}

	r.QueryWeights = resize(r.QueryWeights, nq)
	r.SupportWeights = resize(r.SupportWeights, ns)
	if err := m.weigh(r.QueryWeights, query, support, nq); err != nil {
		return nil, fmt.Errorf("match: query: %w", err)
	}
	if err := m.weigh(r.SupportWeights, support, query, nq); err != nil {
		return nil, fmt.Errorf("match: support: %w", err)
	}

	m.problem = solver.Problem{Rows: nq, Cols: ns, Cost: cost, Supply: r.QueryWeights, Demand: r.SupportWeights}
	solution, err := m.simplex.Solve(&m.problem)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	r.Flow = solution.Flow
	r.Score = m.temperature() / float64(nq) * collected(r.Similarity, r.Flow)
	return r, nil
}

// weigh fills dst with the weights of one side, scaled to the given total. Both
// sides get the query's number of nodes: the flow then averages similarities,
// whatever the sizes of the sets, and equal sizes give the reference's scale.
func (m *Matcher) weigh(dst []float64, of, against *Prepared, total int) error {
	weighting := m.Weighting
	if weighting == nil {
		weighting = CrossReference{}
	}
	weighting.Weigh(dst, of, against)
	if !normalise(dst, float64(total)) {
		return fmt.Errorf("%s weights overflow: %w: the weights file is damaged or of another network", weighting, ErrNotFinite)
	}
	return nil
}

func (m *Matcher) temperature() float64 {
	if m.Temperature == 0 {
		return Temperature
	}
	return m.Temperature
}

// collected is the similarity that a flow collects, Σ similarity·flow.
func collected(similarity, flow []float64) float64 {
	var sum float64
	for i, x := range flow {
		sum += similarity[i] * x
	}
	return sum
}
