package learner

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Explanation says why a picture resembles a class: its match, node by node, with
// the example of the class that it matches best.
type Explanation struct {
	ClassID, Label string
	ExampleID      string
	*answer.Explanation

	// Head says of each class that answers, in the order of teaching, what its logit is
	// the sum of. It is nil where no head took part: with classifiers that have none,
	// after training, and where every class has one example.
	Head []Shares
}

// Shares are the two parts of a class's logit, both multiplied by the sharpness that
// makes probabilities of logits (see fewshot.Mixture).
type Shares struct {
	ClassID, Label string
	Match          float64 // of the match with all of the class's examples
	Head           float64 // of the head, which learned from the examples
}

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
func (l *Learner) Explain(classID string) (*Explanation, error) {
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
	return &Explanation{ClassID: c.id, Label: c.label, ExampleID: c.examples[best].id, Explanation: found, Head: shares}, nil
}

// shares takes the logits of the latest picture apart; nil without a head.
func (l *Learner) shares() ([]Shares, error) {
	if !l.current() { // the classes are others than when it was classified
		if err := l.fit(); err != nil {
			return nil, err
		}
		if err := l.scores(l.explainer.latest); err != nil {
			return nil, err
		}
	}
	var list []Shares
	for i, added := range l.detail.Head {
		c := l.fitted[i]
		list = append(list, Shares{ClassID: c.id, Label: c.label, Match: l.detail.Scores[i] - added, Head: added})
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
