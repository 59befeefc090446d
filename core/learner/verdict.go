package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
)

// calibrated is a calibration of verdicts. Its scores are those of prototypes at the usual
// temperature, even if another classifier answers: a classifier that has learned
// from the examples cannot judge them.
type calibrated struct {
	revision, background uint64   // of the examples
	classes              []string // ids, in the order of the scores
	classifier           *fewshot.Prototype
	calibration          *openset.Calibration
	left                 *openset.LeftOut  // the scores of the calibration
	contrast             *openset.Contrast // with the classes of the network's training
	logits               []float64
	rejection            rejection
}

// of reports whether the calibration is of a model's examples.
func (c *calibrated) of(m *Model) bool {
	return c != nil && c.revision == m.revision && c.background == m.background
}

// fits reports whether the calibration is of a model's classes, if perhaps of other
// examples.
func (c *calibrated) fits(m *Model) bool {
	return c != nil && slices.Equal(c.classes, ids(m.fitted)) && slices.Equal(ids(c.rejection.classes), ids(m.backgrounds()))
}

func ids(classes []*class) (list []string) {
	for _, c := range classes {
		list = append(list, c.id)
	}
	return list
}

// OpenSetScore returns how familiar a classified image looks, whether or not the method
// reports unknown images; Unknown is the verdict if it did. After ClassifyLive it may be
// calibrated with former examples.
//
// # Errors
//
// CodeEmpty.
func (m *Model) OpenSetScore(a *Answer) (*answer.Verdict, error) {
	m.net.Lock()
	defer m.net.Unlock()
	if err := m.fit(); err != nil {
		return nil, err
	}
	return m.verdict(a)
}

// verdict is OpenSetScore. That of a live answer may be by a calibration of former examples
// of the same classes.
func (m *Model) verdict(a *Answer) (*answer.Verdict, error) {
	c := m.calibrated
	if !c.of(m) && !(a.live && c.fits(m)) {
		var err error
		if c, err = m.calibrating(new(job)); err != nil {
			return nil, err
		}
		m.calibrated = c
	}
	c.logits = c.logits[:0]
	if a.by == m && len(a.match) > 0 {
		// Prototypes have scored it, alone or with a head: their logits are only scaled.
		for _, v := range a.match {
			c.logits = append(c.logits, v*(method.Temperature/m.opt.Method.Temperature))
		}
	} else {
		var err error
		if c.logits, err = c.classifier.Scores(c.logits, a.Embedding); err != nil {
			return nil, err
		}
	}
	c.contrast.Add(c.logits, a.Embedding)
	v := &answer.Verdict{
		Score: c.calibration.Score(c.logits), Threshold: c.calibration.Threshold(m.opt.Method.Strangers.Strictness),
		Balanced: c.calibration.Balanced, Estimated: len(c.calibration.Known) == 0,
	}
	var err error
	if v.Nothing, err = c.rejection.claim(a.Embedding, v.Score); err != nil {
		return nil, err
	}
	v.Unknown = v.Score < v.Threshold || v.Nothing != ""
	return v, nil
}

// calibrate returns the calibration of the model's examples. The workspace is not locked.
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

// calibrating leaves every example out in turn, and calibrates verdicts with the scores that
// prototypes give them then. It shares no classifier with the model.
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
	contrast := m.opt.Cohort.Contrast(support)
	contrasted := contrast.LeftOut(left)
	c := &calibrated{
		revision: m.revision, background: m.background, classes: ids(m.fitted), classifier: classifier,
		calibration: openset.Calibrate(contrasted, len(support), m.prior()), left: left, contrast: contrast,
	}
	if err := classifier.Fit(support); err != nil {
		return nil, err
	}
	return c, m.learnBackground(c, contrasted, j)
}

// scale returns the classifier for verdicts: prototypes at the usual temperature, which the
// prior was measured with, matched as the method says.
func (m *Model) scale() (*fewshot.Prototype, error) {
	usual := m.opt.Method
	usual.Temperature = method.Temperature
	matcher, err := m.opt.Kit.Matcher(usual)
	if err != nil {
		return nil, err
	}
	return &fewshot.Prototype{Matcher: matcher, Balance: usual.Balance}, nil
}

// prior is the prior of the kind of network.
func (m *Model) prior() openset.Prior {
	switch {
	case m.net.hearing != nil:
		return openset.HeldOutSounds
	case m.opt.Cohort != nil:
		return openset.HeldOutContrast
	}
	return openset.HeldOut
}
