// Package match compares two pictures by optimal matching: the Earth Mover's Distance between their
// sets of local embeddings (Zhang, Cai, Lin, Shen: "DeepEMD", section 3).
//
// A [Weighting] determines the weight of each node. The cost of a pair is one minus the cosine of
// the centered nodes. The transportation simplex finds the cheapest flow, and the score is the
// similarity of the matched nodes. A [Prepared] set holds the computations for one picture, so that
// matching a query with many supports repeats none of them.
package match

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/solver"
)

// Matcher matches pictures. Its zero value is ready to use and matches like the reference. It
// reuses its working memory: matching sets of the same sizes again allocates nothing. A Matcher is
// not safe for concurrent use; Prepared sets are.
type Matcher struct {
	// Weighting weighs the nodes; nil means CrossReference.
	Weighting Weighting
	// Solver finds the flow; nil means the exact solver.Simplex.
	Solver Solver
	// Temperature scales scores; 0 means method.Temperature.
	Temperature float64

	query, support Prepared // of Match
	match          Match    // of the latest pair
	pairs          uint64   // number of pairs so far
	cosines        Cosines
	problem        solver.Problem
	simplex        solver.Simplex
	dual           []float64 // working memory of Pairing.Bound
}

// Solver finds the flow of a match: *solver.Sinkhorn, *solver.Interior or *Dense. A solver has
// working memory and belongs to one matcher.
type Solver interface {
	// Forward returns the flow, [Rows, Cols], which is valid until the next call.
	Forward(p *solver.Problem) (flow []float64, err error)
}

// Match is the optimal matching of a query with a support, of Nq and Ns nodes.
type Match struct {
	// Score is T/Nq · Σ Similarity·Flow, a logit: the mean similarity of matched nodes, times the
	// temperature. Nq is the number of nodes after merging.
	Score float64
	// Temperature is T.
	Temperature float64
	// QueryWeights, [Nq], and SupportWeights, [Ns], each sum to Nq.
	QueryWeights, SupportWeights []float64
	// Similarity, [Nq, Ns], holds the cosines of the centered nodes.
	Similarity []float64
	// Flow, [Nq, Ns], is the weight that each query node sends to each support node. Rows sum to
	// the query's weights and columns to the support's, within the precision of the solver.
	Flow []float64
}

// Score returns the score of a query matched with a support.
//
// Errors name the side at fault: an empty, malformed or non-finite set (see Prepare), or sets with
// different channels (ErrChannels). Without an error the score is finite.
func (m *Matcher) Score(query, support *embed.Set) (float64, error) {
	match, err := m.Match(query, support)
	if err != nil {
		return 0, err
	}
	return match.Score, nil
}

// Match is Score with the complete matching, which is valid until the next call.
func (m *Matcher) Match(query, support *embed.Set) (*Match, error) {
	if err := m.Reset(&m.query, query); err != nil {
		return nil, fmt.Errorf("match: query: %w", err)
	}
	if err := m.Reset(&m.support, support); err != nil {
		return nil, fmt.Errorf("match: support: %w", err)
	}
	return m.MatchPrepared(&m.query, &m.support)
}

// Prepare prepares a set for matchers with this weighting. A Grouping merges nodes first, and can
// return further errors. Otherwise it is the function Prepare.
func (m *Matcher) Prepare(set *embed.Set) (*Prepared, error) {
	p := new(Prepared)
	if err := m.Reset(p, set); err != nil {
		return nil, err
	}
	p.Pack()
	return p, nil
}

// Reset is p.Reset for matchers with this weighting; see Prepare.
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

// ScorePrepared is Score for prepared sets.
func (m *Matcher) ScorePrepared(query, support *Prepared) (float64, error) {
	match, err := m.MatchPrepared(query, support)
	if err != nil {
		return 0, err
	}
	return match.Score, nil
}

// MatchPrepared is Match for prepared sets.
func (m *Matcher) MatchPrepared(query, support *Prepared) (*Match, error) {
	pairing, err := m.Pair(query, support)
	if err != nil {
		return nil, err
	}
	return pairing.Solve()
}

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

func (m *Matcher) weighting() Weighting {
	if m.Weighting == nil {
		return CrossReference{}
	}
	return m.Weighting
}

func (m *Matcher) temperature() float64 { return cmp.Or(m.Temperature, method.Temperature) }

// Memory holds the basis of a match, to solve a match of similar sets faster, such as the same
// picture and a prototype after a learning step. It does not change the score.
//
// The zero value is empty.
type Memory struct{ basis solver.Basis }

// Backward adds scale times the gradient of a match's score with respect to the support's unit
// nodes to dst, [Ns, C]: T/Nq·Σ_i x_ij·û_i for node j. The flow counts as constant, as in the
// reference with a solver without derivative, so the score is linear in the similarities.
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

// Backward converts a gradient with respect to p's unit nodes, [N, C], to the gradient with respect
// to its raw nodes, in place: û = (u − mean u)/‖u − mean u‖ gives
//
//	g ← (g − (g·û)·û)/‖u − mean u‖,  then  g ← g − mean g.
//
// A node without variation over its channels has similarity zero and gradient zero. p must not be
// Raw.
func (p *Prepared) Backward(gradient []float32) {
	c := p.C()
	for i, norm := range p.norms {
		g, unit := gradient[i*c:][:c], p.unit(i)
		if norm <= MinNorm {
			clear(g)
			continue
		}
		axpy(g, -dot(g, unit), unit)
		standardize(g, g, sum(g)/float64(c), 1/norm)
	}
}

// ErrRegions reports nodes without regions, such as features from another program.
var ErrRegions = errors.New("nodes without regions")

// Explain matches two pictures and returns the matched regions and nodes. A matcher with this
// weighting must have prepared the pictures. If the weighting merges nodes, the explanation is
// about merged nodes. It shares no memory with the matcher.
//
// # Errors
//
// ErrRegions for a set without regions, and the same errors as MatchPrepared.
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
