package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// Learning makes an SFC in small steps, and can tell beforehand what it is worth:
// how many examples are recognised by what was learned without them, and how many
// by plain prototypes. (Those that it has learned from it nearly always
// recognises, which says nothing.)
//
// For that the examples are divided into folds; each in turn is held out, the rest
// learned as all of them will be in the end, and the fold's examples asked for:
// cross-validation. A class with a single example keeps it, and is not asked for.
type Learning struct {
	// Matcher matches, Descent says how to learn; see SFC.
	Matcher match.Matcher
	Descent Descent
	// Folds is into how many parts the examples are divided for the check; there are
	// never more than the largest class has examples. 0 leaves out the check.
	Folds int

	classes []Class
	folds   int
	fold    int // the present one; folds for the learning of all
	sfc     *SFC
	plain   Prototype
	asked   []heldOut // examples of the present fold that are left to ask for
	gain    Gain
	scores  []float64
}

// Gain is what a check has found: of so many examples that were held out, how many
// prototypes recognise, and how many what was learned.
type Gain struct{ Of, Before, After int }

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
	l.classes, l.fold, l.folds, l.gain, l.asked = classes, 0, min(l.Folds, largest), Gain{}, nil
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
	l.plain = Prototype{Matcher: l.Matcher}
	if err := l.plain.Fit(rest); err != nil {
		return err
	}
	return l.sfc.Start(rest)
}

// Step does a little of the work, some milliseconds, and reports whether all is
// done. Its errors are those of SFC.Step.
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

// ask counts an example that was held out.
func (l *Learning) ask(held heldOut) (err error) {
	l.gain.Of++
	for _, by := range []struct {
		classifier Classifier
		right      *int
	}{{&l.plain, &l.gain.Before}, {l.sfc, &l.gain.After}} {
		if l.scores, err = by.classifier.Scores(l.scores, held.set); err != nil {
			return err
		}
		if slices.Index(l.scores, slices.Max(l.scores)) == held.class {
			*by.right++
		}
	}
	return nil
}

// Passes are those that were made since Start, those of the check among them, and
// all that there will be.
func (l *Learning) Passes() (done, total int) {
	done, each := l.sfc.Passes()
	return l.fold*each + done, (l.folds + 1) * each
}

// Gain is what the check has found so far: all there is, once Step is done.
func (l *Learning) Gain() Gain { return l.gain }

// Learned is the classifier, once Step is done.
func (l *Learning) Learned() *SFC { return l.sfc }
