package learner

import (
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/quality"
)

// Review is what the examples say about themselves.
type Review struct {
	Examples []Reviewed
	Classes  []ReviewedClass
	// Known and Unknown are the scores of examples left out of their class and of
	// examples whose whole class was left out; see openset.Calibration, also for
	// Balanced. Estimated says that there is nothing to leave out.
	Known, Unknown []float64
	Balanced       float64
	Estimated      bool
	// Accepted and Rejected are what a prior says that the balanced threshold
	// lets in and turns away, where the examples do not.
	Accepted, Rejected float64
	// Worst is the example whose removal would improve the others' margins most, by
	// Gain; empty where none would.
	Worst string
	Gain  float64
}

// Reviewed is what is known of an example.
type Reviewed struct {
	ID, ClassID string
	// Problem is what is wrong with the picture: "", "dark", "bright", "blurred".
	Problem string
	// Twin is an earlier example that is all but the same, or "".
	Twin string
	// Taken is the class that it is taken for when it is left out, "" where there
	// is nothing to tell it by; Margin by how much it is more alike its own class.
	Taken  string
	Margin float64
}

// ReviewedClass is a class with the score from which on pictures are alike enough
// to it, in logits.
type ReviewedClass struct {
	ID    string
	Level float64
}

// tries bounds how many examples Worst considers: as many as keep the matches to
// some thousands, and a dozen at least.
func tries(examples int) int { return max(12, 4000/max(examples, 1)) }

var problems = map[quality.Problem]string{quality.Dark: "dark", quality.Bright: "bright", quality.Blurred: "blurred"}

// Review looks at all examples of enabled classes: each left out in turn, and beside
// each other. Errors: "empty".
func (l *Learner) Review() (*Review, error) {
	left, err := l.calibrate()
	if err != nil {
		return nil, err
	}
	c := l.strangers.calibration
	r := &Review{Known: c.Known, Unknown: c.Unknown, Balanced: c.Balanced, Estimated: len(c.Known) == 0}
	r.Accepted, r.Rejected = c.Prior.Unknown.Above(c.Balanced), 1-c.Prior.Known.Above(c.Balanced)
	at := 0
	for i, class := range l.fitted {
		r.Classes = append(r.Classes, ReviewedClass{class.id, c.Level[i]})
		for k, example := range class.examples {
			reviewed := Reviewed{ID: example.id, ClassID: class.id, Problem: problems[example.looks.Problem()]}
			for _, earlier := range class.examples[:k] {
				if example.looks.Alike(earlier.looks) >= quality.TooAlike {
					reviewed.Twin = earlier.id
					break
				}
			}
			if taken := left.Taken(at); taken >= 0 && len(l.fitted) > 1 {
				reviewed.Taken = l.fitted[taken].id
				reviewed.Margin, _ = left.Margin(at)
			}
			r.Examples = append(r.Examples, reviewed)
			at++
		}
	}
	classifier, err := l.scale()
	if err != nil {
		return nil, err
	}
	worst, ok, err := openset.Worst(classifier, l.support(), left, tries(len(left.Class)))
	if err != nil {
		return nil, err
	}
	if ok {
		r.Worst, r.Gain = r.Examples[worst.Example].ID, worst.Gain
	}
	return r, nil
}
