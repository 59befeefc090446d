package learner

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/openset"
)

// strangers tells apart what belongs to no class. It scores by prototypes at the
// usual temperature, whichever classifier answers: a classifier that has learned
// from the examples cannot judge them.
type strangers struct {
	classes     []*class // those calibrated, in order
	revision    int      // of the examples when they were
	classifier  *fewshot.Prototype
	calibration *openset.Calibration
	left        *openset.LeftOut  // what it is of
	contrast    *openset.Contrast // with what the network has learned
	logits      []float64
	nothing     nothing
	began       time.Time
	took        time.Duration // calibrating
	found       answer.Verdict
}

// Familiarity says how familiar the picture looks that was classified last, also
// where the method does not name strangers; Unknown then is what it would be if it
// did. It is valid until the next call.
// Errors: "empty".
func (l *Learner) Familiarity() (*answer.Verdict, error) {
	if l.explainer.latest == nil {
		return nil, fail(CodeEmpty, "there is nothing to say yet: classify a picture first")
	}
	s := &l.strangers
	if !l.calibrated() || l.outdated() {
		if _, err := l.calibrate(); err != nil {
			return nil, err
		}
	}
	if err := l.familiarLogits(); err != nil {
		return nil, err
	}
	s.contrast.Add(s.logits, l.explainer.latest)
	score, threshold := s.calibration.Score(s.logits), s.calibration.Threshold(l.method.Strangers.Strictness)
	s.found = answer.Verdict{
		Unknown: score < threshold, Score: score, Threshold: threshold, Balanced: s.calibration.Balanced,
		Estimated: len(s.calibration.Known) == 0,
	}
	var err error
	if s.found.Nothing, err = s.nothing.claim(l.explainer.latest, score); err != nil {
		return nil, err
	}
	s.found.Unknown = s.found.Unknown || s.found.Nothing != ""
	return &s.found, nil
}

// judge adds to an answer whether its picture belongs to any class. Where the method
// names no strangers, only examples of nothing say no.
func (l *Learner) judge(a *answer.Answer) (err error) {
	if a.Verdict, err = l.Familiarity(); err == nil && !l.method.Strangers.Name {
		a.Verdict.Unknown = a.Verdict.Nothing != ""
	}
	return err
}

// calibrated reports whether the present classes have a calibration.
func (l *Learner) calibrated() bool {
	s := &l.strangers
	return s.calibration != nil && slices.Equal(s.classes, l.fitted) && slices.Equal(s.nothing.classes, l.nothing())
}

// leaveOut is calibrate where it has not been done for these examples.
func (l *Learner) leaveOut() (*openset.LeftOut, error) {
	if l.calibrated() && l.strangers.revision == l.revision {
		return l.strangers.left, nil
	}
	return l.calibrate()
}

// outdated reports whether the examples changed since the calibration and, of a
// stream, patience is over.
func (l *Learner) outdated() bool {
	s := &l.strangers
	switch {
	case s.revision == l.revision:
		return false
	case l.hasty:
		return time.Since(s.began).Seconds() >= l.opt.Patience*s.took.Seconds()
	}
	return true
}

// familiarLogits scores the latest picture by prototypes at the usual temperature.
// Where prototypes have just scored it, alone or beside a head, it scales their logits
// instead of matching again.
func (l *Learner) familiarLogits() (err error) {
	s := &l.strangers
	logits := l.matches()
	if logits == nil {
		s.logits, err = s.classifier.Scores(s.logits, l.explainer.latest)
		return err
	}
	s.logits = s.logits[:0]
	for _, v := range logits {
		s.logits = append(s.logits, v*(method.Temperature/l.method.Temperature))
	}
	return nil
}

// matches are the logits that prototypes gave the latest picture; nil if others
// answered, or did not match it with every class.
func (l *Learner) matches() []float64 {
	if l.opt.Tuning.Skip || !l.current() || len(l.detail.Match) == 0 {
		return nil
	}
	return l.detail.Match
}

// calibrate leaves every example out in turn, and returns how prototypes score them
// then.
func (l *Learner) calibrate() (*openset.LeftOut, error) {
	if err := l.fit(); err != nil {
		return nil, err
	}
	began := time.Now()
	support := l.support()
	classifier, err := l.scale()
	if err != nil {
		return nil, err
	}
	left, err := openset.LeaveOneOut(classifier, support)
	if err != nil {
		return nil, err
	}
	contrast := l.opt.Cohort.Contrast(support)
	contrasted := contrast.LeftOut(left)
	calibration := openset.Calibrate(contrasted, len(support), l.prior())
	if err := classifier.Fit(support); err != nil {
		return nil, err
	}
	emptiness, err := l.calibrateNothing(classifier, contrast, calibration, contrasted)
	if err != nil {
		return nil, err
	}
	l.strangers = strangers{
		classes: slices.Clone(l.fitted), revision: l.revision, classifier: classifier, calibration: calibration, left: left, contrast: contrast,
		nothing: emptiness, began: began, took: time.Since(began),
	}
	return left, nil
}

// prior is that of the learner's kind of network.
func (l *Learner) prior() openset.Prior {
	switch {
	case l.Hears():
		return openset.HeldOutSounds
	case l.opt.Cohort != nil:
		return openset.HeldOutContrast
	}
	return openset.HeldOut
}
