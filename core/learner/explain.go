package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// support returns an example prepared for matching. The first call prepares it, and a call after one
// with another weighting.
func (x *explainer) support(e *example) (*match.Prepared, error) {
	if e.by != x {
		prepared, err := x.matcher.Prepare(e.set)
		if err != nil {
			return nil, err
		}
		e.support, e.by = prepared, x
	}
	return e.support, nil
}

// Explain returns the match of a classified image with the most similar example of a class,
// by default the best class. The answer may be from another model.
//
// # Errors
//
// CodeEmpty for a class without examples; CodeUnknownClass; CodeBadArgument for an answer that no model has
// given.
func (m *Model) Explain(a *Answer, classID string) (*answer.Explanation, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if classID == "" {
		classID = a.Scores[0].ID
	}
	i, err := m.class(classID)
	if err != nil {
		return nil, err
	}
	c := m.classes[i]
	if len(c.examples) == 0 {
		return nil, fail(CodeEmpty, "class %q has no examples: add one, then explain", c.label)
	}
	m.net.Lock()
	defer m.net.Unlock()
	if a.by != m.number {
		if err := m.fit(); err != nil {
			return nil, err
		}
		if a, err = m.score(a.Embedding, a.live); err != nil {
			return nil, err
		}
	}
	best, support, err := m.explainer.best(a.Embedding, c.examples)
	if err != nil {
		return nil, err
	}
	found, err := m.explainer.matcher.Explain(&m.explainer.query, support)
	if err != nil {
		return nil, err
	}
	return &answer.Explanation{ClassID: c.id, Label: c.label, ExampleID: best.id, Match: *found, Head: slices.Clone(a.shares)}, nil
}

// best returns the example with the best match. It skips examples whose upper bound is not
// above the best score.
func (x *explainer) best(query *embed.Set, examples []*example) (best *example, prepared *match.Prepared, err error) {
	if err := x.matcher.Reset(&x.query, query); err != nil {
		return nil, nil, err
	}
	most := 0.0
	for _, e := range examples {
		support, err := x.support(e)
		if err != nil {
			return nil, nil, err
		}
		pairing, err := x.matcher.Pair(&x.query, support)
		if err != nil {
			return nil, nil, err
		}
		if best != nil && pairing.Bound() <= most {
			continue
		}
		found, err := pairing.SolveFrom(&e.memory)
		if err != nil {
			return nil, nil, err
		}
		if best == nil || found.Score > most {
			best, prepared, most = e, support, found.Score
		}
	}
	return best, prepared, nil
}
