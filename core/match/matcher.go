// Package match compares two pictures by optimal matching: the Earth Mover's
// Distance between their sets of local embeddings (Zhang, Cai, Lin, Shen:
// "DeepEMD", section 3).
//
// A Weighting says how much each node has to send or to receive, the cost of
// sending is one minus the cosine of the centred nodes, the transportation
// simplex finds the cheapest flow, and the score is the similarity that the
// flow collects. A Prepared set holds what depends on one picture only, so that
// matching a query with many supports computes it once.
package match

import (
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/solver"
)

// Matcher matches pictures. Its zero value is ready for use and matches as the
// reference does. It keeps its working memory between calls: matching sets of the
// same sizes again allocates nothing. A Matcher is not safe for concurrent use;
// Prepared sets are.
type Matcher struct {
	// Weighting weighs the nodes; nil stands for CrossReference.
	Weighting Weighting
	// Solver finds the flow; nil stands for the exact one, by solver.Simplex.
	Solver Solver
	// Temperature scales scores; 0 stands for method.Temperature.
	Temperature float64

	query, support Prepared // of the calls that take unprepared sets
	match          Match    // of the pair that met last
	meetings       uint64   // the pairs that met so far
	cosines        Cosines
	problem        solver.Problem
	simplex        solver.Simplex
	dual           []float64 // working memory of Pairing.Bound
}

// Solver finds the flow of a match: *solver.Sinkhorn, *solver.Interior or
// *Dense. A solver keeps working memory and serves one matcher.
type Solver interface {
	// Forward returns the flow, [Rows, Cols], which is valid until the next call.
	Forward(p *solver.Problem) (flow []float64, err error)
}

// Match is the optimal matching of a query with a support, Nq and Ns nodes.
type Match struct {
	// Score is T/Nq · Σ Similarity·Flow: the similarity of the matched nodes,
	// averaged by the flow, times the temperature. It is a logit. Nq is the number
	// of nodes after merging.
	Score float64
	// Temperature is T.
	Temperature float64
	// QueryWeights, [Nq], and SupportWeights, [Ns], each sum to Nq.
	QueryWeights, SupportWeights []float64
	// Similarity, [Nq, Ns], holds the cosines of the centred nodes.
	Similarity []float64
	// Flow, [Nq, Ns], says how much of each query node's weight goes to each
	// support node: rows sum to the query's weights, columns to the support's, to
	// the precision of the solver.
	Flow []float64
}

// Score returns the score of a query matched with a support, both straight from an
// embedder.
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

// Match is Score with everything that explains it. The result belongs to the
// matcher and is valid until its next call.
func (m *Matcher) Match(query, support *embed.Set) (*Match, error) {
	if err := m.Reset(&m.query, query); err != nil {
		return nil, fmt.Errorf("match: query: %w", err)
	}
	if err := m.Reset(&m.support, support); err != nil {
		return nil, fmt.Errorf("match: support: %w", err)
	}
	return m.MatchPrepared(&m.query, &m.support)
}

// Prepare prepares a set for this matcher, or one with the same weighting: a
// Grouping merges nodes first, and adds its errors. Otherwise it is the function
// Prepare.
func (m *Matcher) Prepare(set *embed.Set) (*Prepared, error) {
	p := new(Prepared)
	if err := m.Reset(p, set); err != nil {
		return nil, err
	}
	p.Pack()
	return p, nil
}

// Reset is p.Reset for a set that this matcher will match; see Prepare.
func (m *Matcher) Reset(p *Prepared, set *embed.Set) error {
	grouping, ok := m.Weighting.(Grouping)
	if !ok {
		return p.Reset(set)
	}
	merged, sizes, err := grouping.Merge(set)
	if err != nil {
		return err
	}
	err = p.Reset(merged)
	p.sizes = sizes
	return err
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
	pairing, err := m.Pair(query, support)
	if err != nil {
		return nil, err
	}
	return pairing.Solve()
}

// flow solves the problem.
func (m *Matcher) flow(memory *Memory) ([]float64, error) {
	if m.Solver != nil {
		return m.Solver.Forward(&m.problem)
	}
	if memory == nil {
		solution, err := m.simplex.Solve(&m.problem)
		return solution.Flow, err
	}
	solution, err := m.simplex.SolveFrom(&m.problem, &memory.basis)
	return solution.Flow, err
}

// weighting is the one in use.
func (m *Matcher) weighting() Weighting {
	if m.Weighting == nil {
		return CrossReference{}
	}
	return m.Weighting
}

func (m *Matcher) temperature() float64 {
	if m.Temperature == 0 {
		return method.Temperature
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

// Memory keeps which nodes matched, for a later match of similar sets, such as the
// same picture and a prototype that has learned a little. Mostly the same nodes match
// again, so that the solver has little left to do. The score does not depend on it.
//
// The zero value remembers nothing.
type Memory struct{ basis solver.Basis }

// The derivative of a score by the support's nodes, for classifiers that learn
// them. The flow counts as constant, as in the reference where its solver has no
// derivative: the score is then linear in the similarities.

// Backward adds to dst, [Ns, C], the gradient of a match's score by the support's
// unit nodes, times scale: T/Nq·Σ_i x_ij·û_i for node j. The flow is that match's.
func (m *Matcher) Backward(dst []float32, query, support *Prepared, flow []float64, scale float64) {
	nq, ns, c := query.N(), support.N(), support.C()
	scale *= m.temperature() / float64(nq)
	for i := range nq {
		unit := query.unit(i)
		for j, x := range flow[i*ns:][:ns] {
			if x != 0 {
				axpy(dst[j*c:][:c], float32(scale*x), unit)
			}
		}
	}
}

// Backward turns a gradient by p's unit nodes, [N, C], into the gradient by its raw
// nodes, in place: û = (u − mean u)/‖u − mean u‖ gives
//
//	g ← (g − (g·û)·û)/‖u − mean u‖,  then  g ← g − mean g.
//
// A node without variation over its channels is similar to nothing and has the
// gradient zero. p must not be Raw.
func (p *Prepared) Backward(gradient []float32) {
	c := p.C()
	for i, norm := range p.norms {
		g, unit := gradient[i*c:][:c], p.unit(i)
		if norm <= MinNorm {
			clear(g)
			continue
		}
		axpy(g, -dot(g, unit), unit)
		standardise(g, g, sum(g)/float64(c), 1/norm)
	}
}

// ErrRegions says that the nodes of a set do not know where in the picture they
// lie, such as features from a file of another program.
var ErrRegions = errors.New("nodes without regions")

// Explain matches two pictures that m, or a matcher with its weighting, has prepared,
// and explains the result: which region of one was matched with which region of the other.
// If the weighting merges nodes, the explanation is about merged nodes. It shares no memory
// with the matcher.
//
// # Errors
//
// An error that wraps [ErrRegions] for a set without regions, and those
// of MatchPrepared.
func (m *Matcher) Explain(query, support *Prepared) (*answer.Match, error) {
	for _, side := range []struct {
		name string
		set  *embed.Set
	}{{"query", query.Set()}, {"support", support.Set()}} {
		if len(side.set.Regions) != side.set.N {
			return nil, fmt.Errorf("match: %s: %w: embed the picture itself", side.name, ErrRegions)
		}
	}
	found, err := m.MatchPrepared(query, support)
	if err != nil {
		return nil, err
	}
	explained := &answer.Match{
		Score:       found.Score,
		Total:       float64(query.N()),
		Temperature: found.Temperature,
		From:        answer.NewSide(query.Set().Regions, found.QueryWeights),
		To:          answer.NewSide(support.Set().Regions, found.SupportWeights),
		Similarity:  slices.Clone(found.Similarity),
	}
	explained.SetFlow(found.Flow)
	return explained, nil
}
