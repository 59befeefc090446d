package wasm

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
)

// Unknown says whether a picture is of any class that was taught.
type Unknown struct {
	// Score is how much, on the scale of package openset; Balanced the score at
	// which known pictures are turned away as often as unknown ones are let in.
	Score, Balanced float64
	// Estimated says that no class has an example to leave out, so that the scale
	// is one that was measured elsewhere.
	Estimated bool
}

// strangers finds out what is none of the classes. It scores by prototypes of its own,
// whichever classifier answers, at the usual temperature: what classifiers
// learn from examples cannot be asked about those examples.
type strangers struct {
	classes     []*class // those calibrated, in order
	revision    int      // of the examples when they were
	classifier  *fewshot.Prototype
	calibration *openset.Calibration
	logits      []float64
	began       time.Time
	took        time.Duration // calibrating
}

// patience is how many times as long as it takes a calibration is good for, though
// examples have come meanwhile: capturing goes on at speed.
const patience = 20

// Unknown says how well known the picture looks that was classified last. Errors:
// "empty".
func (e *Engine) Unknown() (*Unknown, error) {
	if e.explainer.latest == nil {
		return nil, fail(CodeEmpty, "there is nothing to say yet: classify a picture first")
	}
	s := &e.strangers
	overdue := s.revision != e.revision && time.Since(s.began) > patience*s.took
	if s.calibration == nil || overdue || !slices.Equal(s.classes, e.fitted) {
		if _, err := e.calibrate(); err != nil {
			return nil, err
		}
	}
	var err error
	if s.logits, err = s.classifier.Scores(s.logits, e.explainer.latest); err != nil {
		return nil, err
	}
	return &Unknown{
		Score: s.calibration.Score(s.logits), Balanced: s.calibration.Balanced,
		Estimated: len(s.calibration.Known) == 0,
	}, nil
}

// calibrate leaves every example out in turn.
func (e *Engine) calibrate() (*openset.LeftOut, error) {
	if err := e.fit(); err != nil {
		return nil, err
	}
	began := time.Now()
	support := e.support()
	classifier := &fewshot.Prototype{Matcher: e.matching.usual(), Balance: true}
	left, err := openset.LeaveOneOut(classifier, support)
	if err != nil {
		return nil, err
	}
	calibration := openset.Calibrate(left, len(support), openset.HeldOut)
	if err := classifier.Fit(support); err != nil {
		return nil, err
	}
	e.strangers = strangers{
		classes: slices.Clone(e.fitted), revision: e.revision, classifier: classifier, calibration: calibration,
		began: began, took: time.Since(began),
	}
	return left, nil
}
