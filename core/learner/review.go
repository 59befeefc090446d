package learner

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/openset"
)

// Review tells which examples help and which do not.
type Review struct {
	Examples []Reviewed
	Classes  []ReviewedClass
	// Known are the scores of examples left out of their class, Unknown those of
	// examples whose whole class was left out; for them and Balanced see
	// openset.Calibration. Estimated says that there are too few examples to leave
	// any out.
	Known, Unknown []float64
	Balanced       float64
	Estimated      bool
	// Accepted and Rejected are a prior's estimates of the shares of unknown
	// pictures that the balanced threshold lets in and of known ones that it turns
	// away, for when there are too few examples to count.
	Accepted, Rejected float64
	// Hurting are the examples that are taken for another class, and without which the
	// others' margins rise, the most harmful first: see openset.Hurting.
	Hurting []Hurt
}

// Hurt is an example that harms the others.
type Hurt struct {
	ID   string
	Gain float64 // the rise in the others' mean margin without it, in logits
}

// Reviewed is the review of one example.
type Reviewed struct {
	ID, ClassID string
	// Problem names a flaw of the picture: "", "dark", "bright" or "blurred".
	Problem string
	// Twin is an earlier example that looks almost the same or, where there are no
	// pictures, has the same features; else "".
	Twin string
	// Taken is the class that the others take the left-out example for, "" where
	// its class has no other; Margin says by how much its own class wins.
	Taken  string
	Margin float64
}

// ReviewedClass is a class with the logit from which on a picture resembles it
// enough.
type ReviewedClass struct {
	ID    string
	Level float64
}

// tries bounds how many examples are tried for Hurting: some thousand matches, at least a
// dozen examples.
func tries(examples int) int { return max(12, 4000/max(examples, 1)) }

var problems = map[imaging.Problem]string{imaging.Dark: "dark", imaging.Bright: "bright", imaging.Blurred: "blurred"}

// Review leaves out each example of the enabled classes in turn, and compares it
// with the others. Examples of nothing come last; they have no problems or twins, and
// no part in the scores. Errors: "empty".
func (l *Learner) Review() (*Review, error) {
	left, err := l.calibrate()
	if err != nil {
		return nil, err
	}
	c := l.strangers.calibration
	r := &Review{Known: c.Known, Unknown: c.Unknown, Balanced: c.Balanced, Estimated: len(c.Known) == 0}
	r.Accepted, r.Rejected = c.Prior.Unknown.Above(c.Balanced), 1-c.Prior.Known.Above(c.Balanced)
	answers, err := l.leftOut(left)
	if err != nil {
		return nil, err
	}
	l.look(math.MaxInt)
	at := 0
	for i, class := range l.fitted {
		r.Classes = append(r.Classes, ReviewedClass{class.id, c.Level[i]})
		for k, example := range class.examples {
			reviewed := Reviewed{ID: example.id, ClassID: class.id, Problem: example.problem()}
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
		r.Hurting = append(r.Hurting, Hurt{r.Examples[h.Example].ID, h.Gain})
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
