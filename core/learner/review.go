package learner

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/openset"
)

// tries bounds how many examples are tried for Hurting: some thousand matches, at least a
// dozen examples.
func tries(examples int) int { return max(12, 4000/max(examples, 1)) }

var problems = map[imaging.Problem]string{imaging.Dark: "dark", imaging.Bright: "bright", imaging.Blurred: "blurred"}

// Review leaves out each example of the enabled classes in turn, and compares it
// with the others. Examples of nothing come last; they have no problems or twins, and
// no part in the scores. Errors: "empty".
func (l *Learner) Review() (*answer.Review, error) {
	left, err := l.calibrate()
	if err != nil {
		return nil, err
	}
	c := l.strangers.calibration
	r := &answer.Review{Familiarity: c.Familiarity, Estimated: len(c.Known) == 0}
	r.Accepted, r.Rejected = c.Prior.Unknown.Above(c.Balanced), 1-c.Prior.Known.Above(c.Balanced)
	answers, err := l.leftOut(left)
	if err != nil {
		return nil, err
	}
	l.look(math.MaxInt)
	at := 0
	for i, class := range l.fitted {
		r.Classes = append(r.Classes, answer.ReviewedClass{ID: class.id, Level: c.Level[i]})
		for k, example := range class.examples {
			reviewed := answer.ReviewedExample{ID: example.id, ClassID: class.id, Problem: example.problem()}
			for _, earlier := range class.examples[:k] {
				if example.twin(&earlier) {
					reviewed.Twin = earlier.id
					break
				}
			}
			if taken := answers.Taken(at); taken >= 0 && len(l.fitted) > 1 {
				reviewed.Taken = l.fitted[taken].id
				reviewed.Margin, _ = answers.Margin(at)
			}
			r.Examples = append(r.Examples, reviewed)
			at++
		}
	}
	classifier, err := l.scale()
	if err != nil {
		return nil, err
	}
	l.strangers.nothing.review(r)
	margins := make([]float64, len(left.Class))
	for i := range margins {
		if margins[i] = r.Examples[i].Margin; r.Examples[i].Taken == "" {
			margins[i] = math.NaN()
		}
	}
	hurting, err := openset.Hurting(classifier, l.support(), left, margins, tries(len(left.Class)))
	if err != nil {
		return nil, err
	}
	for _, h := range hurting {
		r.Hurting = append(r.Hurting, answer.Hurt{ID: r.Examples[h.Example].ID, Gain: h.Gain})
	}
	return r, nil
}

// leftOut turns the scores of left-out examples by prototypes into those of the classifier
// that answers, if it can tell.
func (l *Learner) leftOut(by *openset.LeftOut) (*openset.LeftOut, error) {
	leaver := l.classifier.Traits().Leaver
	if leaver == nil {
		return by, nil
	}
	answers := &openset.LeftOut{Class: by.Class}
	for class, c := range l.fitted {
		for i := range c.examples {
			row := slices.Clone(by.Scores[len(answers.Scores)])
			if err := leaver.Without(row, class, i); err != nil {
				return nil, err
			}
			answers.Scores = append(answers.Scores, row)
		}
	}
	return answers, nil
}

// problem names the worst flaw of an example's picture.
func (e *example) problem() string {
	if e.looks == nil {
		return ""
	}
	return problems[e.looks.Problem()]
}

// twin reports whether another example shows nothing new.
func (e *example) twin(other *example) bool {
	if e.looks == nil || other.looks == nil {
		return slices.Equal(e.set.Data, other.set.Data)
	}
	return e.looks.Alike(*other.looks) >= imaging.TooAlike
}
