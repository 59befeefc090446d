package openset

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Pause is called after each scored example, every few milliseconds. If it returns an error,
// the work ends and returns the error. Pause may be nil.
type Pause func() error

func (p Pause) call() error {
	if p == nil {
		return nil
	}
	return p()
}

// LeftOut holds the scores of left-out examples: each against the other examples
// of its class and against the other classes.
type LeftOut struct {
	// Class is the index of each example's class; examples are in the order of
	// their classes.
	Class []int
	// Scores, [examples][classes], are logits, NaN for the only example of a class
	// against that class.
	Scores [][]float64
}

// LeaveOneOut scores every example of every class. The score of a class must depend only on
// the class's own examples, as in Prototype, Nearest, Fusion and Merge, and on the smallest
// number of examples per class, as in Prototype with Balance. LeaveOneOut fits the
// classifier, and does not restore its classes.
//
// It returns the errors of the classifier and of pause.
func LeaveOneOut(classifier fewshot.Classifier, classes []fewshot.Class, pause Pause) (*LeftOut, error) {
	l := &LeftOut{}
	if err := classifier.Fit(classes); err != nil {
		return nil, err
	}
	for c, class := range classes {
		for _, example := range class.Support {
			scores, err := classifier.Scores(nil, example)
			if err != nil {
				return nil, err
			}
			if err := pause.call(); err != nil {
				return nil, err
			}
			scores[c] = math.NaN()
			l.Class, l.Scores = append(l.Class, c), append(l.Scores, scores)
		}
	}
	at := 0
	for c, class := range classes {
		if len(class.Support) > 1 {
			own, err := ownScores(classifier, class, classes, c, pause)
			if err != nil {
				return nil, err
			}
			for i, score := range own {
				l.Scores[at+i][c] = score
			}
		}
		at += len(class.Support)
	}
	return l, nil
}

// Margin returns the score of example i against its own class minus its best score against
// another class. A negative margin means that the example is misclassified. ok is false if
// there is no other class or no other example in its class.
func (l *LeftOut) Margin(i int) (margin float64, ok bool) {
	own := l.Scores[i][l.Class[i]]
	rival := math.Inf(-1)
	for c, s := range l.Scores[i] {
		if c != l.Class[i] {
			rival = max(rival, s)
		}
	}
	if math.IsNaN(own) || math.IsInf(rival, -1) {
		return 0, false
	}
	return own - rival, true
}

// Predicted returns the predicted class of the left-out example i, its own class in a tie. It
// returns −1 if the class has no other example.
func (l *LeftOut) Predicted(i int) int {
	best := l.Class[i]
	if math.IsNaN(l.Scores[i][best]) {
		return -1
	}
	for c, s := range l.Scores[i] {
		if s > l.Scores[i][best] {
			best = c
		}
	}
	return best
}

// ownScores scores every example of a class, which replaces class c, against the other
// examples of the class. It fits an Omitter once, and any other classifier once per example,
// which takes quadratic time.
func ownScores(classifier fewshot.Classifier, class fewshot.Class, classes []fewshot.Class, c int, pause Pause) ([]float64, error) {
	own := make([]float64, len(class.Support))
	omitter := classifier.Traits().Omitter
	if omitter != nil {
		if err := fitOne(classifier, class, classes, c); err != nil {
			return nil, err
		}
	}
	for i, example := range class.Support {
		var err error
		if omitter != nil {
			own[i], err = omitter.ScoreWithout(0, example)
		} else {
			own[i], err = ownScore(classifier, class, classes, c, i)
		}
		if err == nil {
			err = pause.call()
		}
		if err != nil {
			return nil, err
		}
	}
	return own, nil
}

// ownScore fits the classifier to the class without example i, and scores example i.
func ownScore(classifier fewshot.Classifier, class fewshot.Class, classes []fewshot.Class, c, i int) (float64, error) {
	rest := fewshot.Class{Name: class.Name, Support: slices.Delete(slices.Clone(class.Support), i, i+1)}
	if err := fitOne(classifier, rest, classes, c); err != nil {
		return 0, err
	}
	scores, err := classifier.Scores(nil, class.Support[i])
	if err != nil {
		return 0, err
	}
	return scores[0], nil
}

// fitOne fits the classifier to a class that replaces class c, and to the smallest other
// class, which a classifier with Balance depends on.
func fitOne(classifier fewshot.Classifier, class fewshot.Class, classes []fewshot.Class, c int) error {
	fitted := []fewshot.Class{class}
	for o, other := range classes {
		switch {
		case o == c:
		case len(fitted) == 1:
			fitted = append(fitted, other)
		case len(other.Support) < len(fitted[1].Support):
			fitted[1] = other
		}
	}
	return classifier.Fit(fitted)
}
