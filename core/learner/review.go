package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/openset"
)

// surelyWrong limits the margins of mislabeled examples; see answer.ReviewedExample.
const surelyWrong = -3

var problems = map[imaging.Problem]string{imaging.Dark: "dark", imaging.Bright: "bright", imaging.Blurred: "blurred"}

// Review leaves out each example of the enabled classes in turn, with its part of the class (see
// [fewshot.Separate]), and compares it with the others. Background examples are last in the result;
// they have no problems or twins, and do not affect the scores. progress, unless nil, is called every
// few milliseconds.
//
// # Errors
//
// CodeEmpty without examples; the errors of ctx and progress, which end the work.
func (m *Model) Review(ctx Context, progress func(done, total int) error) (*answer.Review, error) {
	j := &job{ctx: ctx, progress: progress}
	if err := m.begin(); err != nil {
		return nil, err
	}
	j.total = 3 * count(m.fitted)
	c, err := m.calibrate(j)
	if err != nil {
		return nil, err
	}
	answers, err := m.leftOut(c, j)
	if err != nil {
		return nil, err
	}
	if err := m.measure(j); err != nil {
		return nil, err
	}
	cal := c.calibration
	familiarity := cal.Familiarity
	familiarity.Known, familiarity.Unknown = slices.Clone(cal.Known), slices.Clone(cal.Unknown)
	r := &answer.Review{
		Familiarity: familiarity,
		Estimated:   len(cal.Known) == 0,
		Accepted:    cal.Prior.Unknown.Above(cal.Balanced), Rejected: 1 - cal.Prior.Known.Above(cal.Balanced),
	}
	at := 0
	for i, class := range m.fitted {
		parts := len(fewshot.Separate(c.left.Runs[i]))
		r.Classes = append(r.Classes, answer.ReviewedClass{ID: class.id, Level: cal.Level[i], Parts: parts})
		for k, e := range class.examples {
			reviewed := answer.ReviewedExample{ID: e.id, ClassID: class.id}
			if e.looks != nil {
				reviewed.Problem = problems[e.looks.Problem()]
			}
			for _, earlier := range class.examples[:k] {
				if e.nearDuplicate(earlier) {
					reviewed.Twin = earlier.id
					break
				}
			}
			if taken := answers.Predicted(at); taken >= 0 && len(m.fitted) > 1 {
				reviewed.Taken = m.fitted[taken].id
				reviewed.Margin, _ = answers.Margin(at)
				reviewed.Mislabeled = reviewed.Margin < surelyWrong && parts >= answer.LeastJudged
			}
			r.Examples = append(r.Examples, reviewed)
			at++
			if err := j.step(); err != nil {
				return nil, err
			}
		}
	}
	c.rejection.review(r)
	return r, nil
}

// leftOut converts a calibration's scores of left-out examples to scores of a classifier fitted without
// them, if the classifier supports it. Otherwise they are Prototype's.
func (m *Model) leftOut(c *calibrated, j *job) (*openset.LeftOut, error) {
	leaver := m.classifier.Traits().LeaveOneOut
	if leaver != nil {
		if err := m.study(j); err != nil {
			return nil, err
		}
	}
	answers := &openset.LeftOut{Class: c.left.Class, Runs: c.left.Runs}
	for class, runs := range c.left.Runs {
		for _, part := range fewshot.Separate(runs) {
			for i := part.From; i < part.To; i++ {
				row := slices.Clone(c.left.Scores[len(answers.Scores)])
				if len(m.fitted[class].examples) > 1 {
					c.classifier.Rebalance(row, class, part.To-part.From)
				}
				if leaver != nil {
					m.net.Lock()
					err := leaver.Without(row, class, i)
					m.net.Unlock()
					if err != nil {
						return nil, err
					}
				}
				answers.Scores = append(answers.Scores, row)
			}
		}
	}
	return answers, j.pause()
}

// measure measures the example's image, unless this is done. It reports whether it did so.
func (e *example) measure() bool {
	if e.fresh == nil {
		return false
	}
	looks := imaging.Measure(e.fresh)
	e.looks, e.fresh = &looks, nil
	return true
}

// nearDuplicate reports whether the example is nearly identical to another.
func (e *example) nearDuplicate(other *example) bool {
	if e.looks == nil || other.looks == nil {
		return slices.Equal(e.set.Data, other.set.Data)
	}
	return e.looks.Correlation(*other.looks) >= imaging.TooAlike
}
