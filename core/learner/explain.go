package learner

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// explainer matches pictures with single examples.
type explainer struct {
	matcher match.Matcher
	query   match.Prepared
	latest  *embed.Set // of the picture that was classified last
	winner  string     // the class it was taken for
}

// support returns an example prepared for matching. The first call prepares it.
func (x *explainer) support(ex *example) (*match.Prepared, error) {
	if ex.support == nil {
		prepared, err := x.matcher.Prepare(ex.set)
		if err != nil {
			return nil, err
		}
		ex.support = prepared
	}
	return ex.support, nil
}

// Explain says why the picture that was classified last resembles a class; ""
// stands for the best class. The result belongs to the caller.
//
// Errors: "empty" before the first classification, and for a class without
// examples; "unknown-class".
func (l *Learner) Explain(classID string) (*answer.Explanation, error) {
	x := &l.explainer
	if x.latest == nil {
		return nil, fail(CodeEmpty, "there is nothing to explain yet: classify a picture first")
	}
	if classID == "" {
		classID = x.winner
	}
	c, err := l.class(classID)
	if err != nil {
		return nil, err
	}
	if len(c.examples) == 0 {
		return nil, fail(CodeEmpty, "class %q has no examples: add one, then ask why", c.label)
	}
	if err := x.matcher.Reset(&x.query, x.latest); err != nil {
		return nil, err
	}
	best, err := x.best(c.examples)
	if err != nil {
		return nil, err
	}
	found, err := x.matcher.Explain(&x.query, c.examples[best].support)
	if err != nil {
		return nil, err
	}
	shares, err := l.shares()
	if err != nil {
		return nil, err
	}
	return &answer.Explanation{ClassID: c.id, Label: c.label, ExampleID: c.examples[best].id, Match: *found, Head: shares}, nil
}

// shares takes the logits of the latest picture apart; nil without a head.
func (l *Learner) shares() ([]answer.Shares, error) {
	if !l.current() { // the classes are others than when it was classified
		if err := l.fit(); err != nil {
			return nil, err
		}
		if err := l.scores(l.explainer.latest); err != nil {
			return nil, err
		}
	}
	var list []answer.Shares
	for i, added := range l.detail.Head {
		c := l.fitted[i]
		list = append(list, answer.Shares{ClassID: c.id, Label: c.label, Match: l.detail.Scores[i] - added, Head: added})
	}
	return list, nil
}

// best returns the example that the query matches best. It solves few matches to
// the end: for most examples the upper bound of the score stays below the best
// score.
func (x *explainer) best(examples []example) (int, error) {
	best, most := 0, 0.0
	for i := range examples {
		support, err := x.support(&examples[i])
		if err != nil {
			return 0, err
		}
		pairing, err := x.matcher.Meet(&x.query, support)
		if err != nil {
			return 0, err
		}
		if i > 0 && pairing.Bound() <= most {
			continue
		}
		found, err := pairing.SolveFrom(&examples[i].memory)
		if err != nil {
			return 0, err
		}
		if i == 0 || found.Score > most {
			best, most = i, found.Score
		}
	}
	return best, nil
}
