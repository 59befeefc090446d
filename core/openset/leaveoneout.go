package openset

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Pause is called after each example that long work has scored, some milliseconds apart at
// most. An error ends the work, which returns it. It may be nil.
type Pause func() error

func (p Pause) take() error {
	if p == nil {
		return nil
	}
	return p()
}

// LeftOut holds the scores of examples: of each against its own class without it,
// and against the other classes.
type LeftOut struct {
	// Class is the index of each example's class; examples are in the order of
	// their classes.
	Class []int
	// Scores, [examples][classes], are logits, NaN for the only example of a class
	// against that class.
	Scores [][]float64
}

// LeaveOneOut scores every example of every class. The classifier must score a
// class by that class's examples alone, as Prototype, Nearest, Fusion and Merge do,
// or by them and the smallest number of examples of any class, as Prototype does
// with Balance. LeaveOneOut fits it to other classes.
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
			if err := pause.take(); err != nil {
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

// Margin is the score of example i against its own class, less its best score
// against another. ok is false without another class or another example of its own
// class. A negative margin means that the example is taken for another class.
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

// Taken is the class that the left-out example i is taken for, its own in a tie. It
// is −1 if its class has no other example.
func (l *LeftOut) Taken(i int) int {
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

// Confusion counts the examples of each class, [rows], by the class they are taken
// for, [columns]. It leaves out the only example of a class.
func (l *LeftOut) Confusion(classes int) [][]int {
	counts := make([][]int, classes)
	for c := range counts {
		counts[c] = make([]int, classes)
	}
	for i, c := range l.Class {
		if taken := l.Taken(i); taken >= 0 {
			counts[c][taken]++
		}
	}
	return counts
}

// ownScores scores every example of a class, which takes the place of class c, against
// the others of it. A classifier that leaves examples out by itself is fitted once;
// any other for each example, in the square of the time.
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
			err = pause.take()
		}
		if err != nil {
			return nil, err
		}
	}
	return own, nil
}

// ownScore fits the classifier to all examples of a class but example i, which it then
// scores.
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

// fitOne fits the classifier to a class that takes the place of class c. Of the others
// the smallest stands beside it, for classifiers that make up for different numbers.
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
