package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Learning trains an SFC in small steps, and can measure its worth first: how many
// examples the layer recognises when it was trained without them, and how many
// another classifier does. (Of its own training examples it recognises nearly all,
// which says nothing.)
//
// The check is a cross-validation. It divides the examples into folds, holds out
// each in turn, trains on the rest, and asks for the examples of the fold. A class
// with a single example keeps it, and is not asked for.
type Learning struct {
	// Matcher matches, Descent says how to learn; see SFC.
	Matcher match.Matcher
	Descent Descent
	// Folds is the number of folds of the check, at most the examples of the
	// largest class. 0 means no check.
	Folds int
	// Before is what the check compares with, fitted to the same examples; nil for
	// prototypes that match as Matcher does.
	Before Classifier

	classes []Class
	folds   int
	fold    int // the present one; equal to folds for the training on all
	sfc     *SFC
	plain   Classifier
	asked   []heldOut // examples of the present fold still to ask for
	gain    answer.Gain
	scores  []float64
}

// heldOut is an example with its class.
type heldOut struct {
	set   *embed.Set
	class int
}

// Start begins. Its errors are those of SFC.Start. The sets must not change until
// the end.
func (l *Learning) Start(classes []Class) error {
	if err := checkSupport(classes); err != nil {
		return err
	}
	largest := 0
	for _, class := range classes {
		largest = max(largest, len(class.Support))
	}
	l.classes, l.fold, l.folds, l.gain, l.asked = classes, 0, min(l.Folds, largest), answer.Gain{}, nil
	if largest == 1 || l.folds < 2 {
		l.folds = 0 // nothing could be held out
	}
	return l.begin()
}

// begin starts the present fold.
func (l *Learning) begin() error {
	l.sfc = &SFC{Matcher: l.Matcher, Descent: l.Descent}
	if l.fold == l.folds {
		return l.sfc.Start(l.classes)
	}
	rest := make([]Class, len(l.classes))
	for i, class := range l.classes {
		rest[i].Name = class.Name
		for j, set := range class.Support {
			if len(class.Support) > 1 && j%l.folds == l.fold {
				l.asked = append(l.asked, heldOut{set, i})
			} else {
				rest[i].Support = append(rest[i].Support, set)
			}
		}
	}
	if l.plain = l.Before; l.plain == nil {
		l.plain = &Prototype{Matcher: l.Matcher}
	}
	if err := l.plain.Fit(rest); err != nil {
		return err
	}
	return l.sfc.Start(rest)
}

// Step works for some milliseconds and reports whether all is done. Its errors are
// those of SFC.Step.
func (l *Learning) Step() (done bool, err error) {
	learned, err := l.sfc.Step()
	if err != nil || !learned {
		return false, err
	}
	if l.fold == l.folds {
		return true, nil
	}
	if last := len(l.asked) - 1; last >= 0 {
		held := l.asked[last]
		l.asked = l.asked[:last]
		return false, l.ask(held)
	}
	l.fold++
	return false, l.begin()
}

// ask classifies a held-out example and counts it.
func (l *Learning) ask(held heldOut) (err error) {
	l.gain.Of++
	for _, by := range []struct {
		classifier Classifier
		right      *int
	}{{l.plain, &l.gain.Before}, {l.sfc, &l.gain.After}} {
		if l.scores, err = by.classifier.Scores(l.scores, held.set); err != nil {
			return err
		}
		if slices.Index(l.scores, slices.Max(l.scores)) == held.class {
			*by.right++
		}
	}
	return nil
}

// Passes returns the passes since Start, including those of the check, and their
// total.
func (l *Learning) Passes() (done, total int) {
	done, each := l.sfc.Passes()
	return l.fold*each + done, (l.folds + 1) * each
}

// Gain is the result of the check so far, complete once Step is done.
func (l *Learning) Gain() answer.Gain { return l.gain }

// Learned returns the trained classifier, once Step is done.
func (l *Learning) Learned() *SFC { return l.sfc }
