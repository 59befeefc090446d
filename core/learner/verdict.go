package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
)

// calibrated is a calibration of verdicts. It uses the scores of a Prototype at the usual
// temperature, even if another classifier answers, because a classifier that was trained on
// the examples is biased on them.
type calibrated struct {
	revision, background uint64   // of the model
	classes              []string // ids, in the order of the scores
	classifier           *fewshot.Prototype
	calibration          *openset.Calibration
	left                 *openset.LeftOut // the scores of the calibration
	logits               []float64
	rejection            rejection
}

// of reports whether the calibration was computed from the model's examples.
func (c *calibrated) of(m *Model) bool {
	return c != nil && c.revision == m.revision && c.background == m.background
}

// fits reports whether the calibration has the model's classes, perhaps with other examples.
func (c *calibrated) fits(m *Model) bool {
	return c != nil && slices.Equal(c.classes, ids(m.fitted)) && slices.Equal(ids(c.rejection.classes), ids(m.enabled(true)))
}

func ids(classes []*class) (list []string) {
	for _, c := range classes {
		list = append(list, c.id)
	}
	return list
}

// OpenSetScore returns the familiarity score of a classified image, with Unknown set as if the
// method reported unknown images. After ClassifyLive it may use an earlier calibration.
//
// # Errors
//
// CodeEmpty; CodeBadArgument for an answer that no model has given.
func (m *Model) OpenSetScore(a *Answer) (*answer.Verdict, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	m.net.Lock()
	defer m.net.Unlock()
	if err := m.fit(); err != nil {
		return nil, err
	}
	return m.verdict(a)
}

// verdict implements OpenSetScore. For a live answer it accepts an earlier calibration of the
// same classes.
func (m *Model) verdict(a *Answer) (v *answer.Verdict, err error) {
	c := m.calibrated
	if !c.of(m) && !(a.live && c.fits(m)) {
		if c, err = m.calibrating(new(job)); err != nil {
			return nil, err
		}
		m.calibrated = c
	}
	c.logits = c.logits[:0]
	if a.by == m.number && len(a.match) > 0 {
		// The answer contains Prototype's scores, at another temperature.
		for _, v := range a.match {
			c.logits = append(c.logits, v*(method.Temperature/m.opt.Method.Temperature))
		}
	} else if c.logits, err = c.classifier.Scores(c.logits, a.Embedding); err != nil {
		return nil, err
	}
	v = &answer.Verdict{
		Score: c.calibration.Score(c.logits), Threshold: c.calibration.Threshold(m.opt.Method.Strangers.Strictness),
		Balanced: c.calibration.Balanced, Estimated: len(c.calibration.Known) == 0,
	}
	if v.Nothing, err = c.rejection.background(a.Embedding, v.Score); err != nil {
		return nil, err
	}
	v.Unknown = v.Score < v.Threshold || v.Nothing != "" || m.blank(a)
	v.Known = c.calibration.Belongs(v.Score, v.Threshold)
	if v.Unknown {
		v.Known = min(v.Known, 0.5)
	}
	return v, nil
}

const (
	// blankContrast is the highest contrast of an image of one color with a camera's noise.
	blankContrast = 0.016
	// plainContrast is the highest contrast of an example that may show one color, perhaps in
	// uneven light.
	plainContrast = 4 * blankContrast
)

// blank reports whether an image has one color and no example does. Its features come from the
// padding at the image's edges, and resemble some class by chance. Sounds are never blank: Hearing
// rejects silence. The images of features are for display only.
func (m *Model) blank(a *Answer) bool {
	if a.Seen == nil || m.net.encoder == nil || m.net.hearing != nil || (*imaging.Image)(a.Seen).Contrast() > blankContrast {
		return false
	}
	for _, c := range m.fitted {
		if slices.ContainsFunc(c.examples, func(e *example) bool { return e.plain }) {
			return false
		}
	}
	return true
}

// calibrate returns the calibration of the model's examples. The caller must not hold the lock
// of the workspace.
func (m *Model) calibrate(j *job) (*calibrated, error) {
	m.net.Lock()
	c := m.calibrated
	m.net.Unlock()
	if c.of(m) {
		return c, nil
	}
	c, err := m.calibrating(j)
	if err != nil {
		return nil, err
	}
	m.net.Lock()
	defer m.net.Unlock()
	m.calibrated = c
	return c, nil
}

// calibrating computes a calibration from the leave-one-out scores of a Prototype. It does not
// use the model's classifier.
func (m *Model) calibrating(j *job) (*calibrated, error) {
	support := m.support()
	classifier, err := m.scale()
	if err != nil {
		return nil, err
	}
	left, err := openset.LeaveOneOut(classifier, support, j.step)
	if err != nil {
		return nil, err
	}
	c := &calibrated{
		revision: m.revision, background: m.background, classes: ids(m.fitted), classifier: classifier,
		calibration: openset.Calibrate(left, m.opt.Prior), left: left,
	}
	return c, m.learnBackground(c, j)
}

// scale returns the classifier for verdicts: a Prototype with the method's matcher, at the usual
// temperature of the prior.
func (m *Model) scale() (*fewshot.Prototype, error) {
	usual := m.opt.Method
	usual.Temperature = method.Temperature
	matcher, err := m.opt.Kit.Matcher(usual)
	if err != nil {
		return nil, err
	}
	return &fewshot.Prototype{Matcher: matcher, Balance: usual.Balance}, nil
}
