package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Learning trains an SFC. It can first compare the accuracy of the SFC with another
// classifier's by cross-validation: it divides the examples into folds, holds out each fold
// in turn, trains on the rest, and classifies the examples of the fold. The only example of
// a class is never held out.
type Learning struct {
	// Matcher and Descent configure the SFC.
	Matcher match.Matcher
	Descent Descent
	// Folds is the number of folds of the cross-validation, at most the number of examples
	// of the largest class. 0 disables the check.
	Folds int
	// Before is the other classifier of the check, fitted to the same examples. The default is
	// a Prototype with the same Matcher.
	Before Classifier
	// Progress, unless nil, is called every few milliseconds with the number of complete
	// passes, including the passes of the check, and the gain so far. If it returns an error,
	// Learn stops and returns it.
	Progress func(done, total int, gain answer.Gain) error
}

// Learn returns the trained classifier and the result of the check. It returns the errors of
// SFC.Fit and of Before.
func (l *Learning) Learn(classes []Class) (learned *SFC, gain answer.Gain, err error) {
	if err := Check(classes); err != nil {
		return nil, gain, err
	}
	largest := 0
	for _, class := range classes {
		largest = max(largest, len(class.Support))
	}
	folds := min(l.Folds, largest)
	if largest == 1 || folds < 2 {
		folds = 0 // nothing could be held out
	}
	for fold := range folds {
		if err := l.check(classes, fold, folds, &gain); err != nil {
			return nil, gain, err
		}
	}
	learned, err = l.fit(classes, folds, folds, &gain)
	return learned, gain, err
}

// fit trains an SFC on classes. fold is the number of completed folds.
func (l *Learning) fit(classes []Class, fold, folds int, gain *answer.Gain) (*SFC, error) {
	sfc := &SFC{Matcher: l.Matcher, Descent: l.Descent}
	if l.Progress != nil {
		sfc.Progress = func(done, total int) error { return l.Progress(fold*total+done, (folds+1)*total, *gain) }
	}
	return sfc, sfc.Fit(classes)
}

// check trains without the examples of a fold, classifies them, and adds the result to gain.
func (l *Learning) check(classes []Class, fold, folds int, gain *answer.Gain) error {
	rest := make([]Class, len(classes))
	held := make([][]*embed.Set, len(classes))
	for i, class := range classes {
		rest[i].Name = class.Name
		for j, set := range class.Support {
			if len(class.Support) > 1 && j%folds == fold {
				held[i] = append(held[i], set)
			} else {
				rest[i].Support = append(rest[i].Support, set)
			}
		}
	}
	trained, err := l.fit(rest, fold, folds, gain)
	if err != nil {
		return err
	}
	plain := l.Before
	if plain == nil {
		plain = &Prototype{Matcher: l.Matcher}
	}
	if err := plain.Fit(rest); err != nil {
		return err
	}
	passes := trained.descent.Passes
	pause := func() error {
		if l.Progress == nil {
			return nil
		}
		return l.Progress((fold+1)*passes, (folds+1)*passes, *gain)
	}
	if student := plain.Traits().Student; student != nil {
		if err := student.Learn(pause); err != nil {
			return err
		}
	}
	for class, sets := range held {
		for _, set := range sets {
			gain.Of++
			for _, by := range []struct {
				classifier Classifier
				right      *int
			}{{plain, &gain.Before}, {trained, &gain.After}} {
				scores, err := by.classifier.Scores(nil, set)
				if err != nil {
					return err
				}
				if slices.Index(scores, slices.Max(scores)) == class {
					*by.right++
				}
			}
			if err := pause(); err != nil {
				return err
			}
		}
	}
	return nil
}
