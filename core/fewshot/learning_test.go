package fewshot_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
)

// Learn, with and without a check, gives the same classifier as SFC.Fit.
func TestLearningIsFit(t *testing.T) {
	classes := append(twoClasses(), fewshot.Class{Name: "c", Support: examples(3, 1)})
	query := examples(1, 6)[5]
	descent := fewshot.Descent{Passes: 7, Batch: 3}
	want := scores(t, &fewshot.SFC{Descent: descent}, classes, query)
	for _, test := range []struct {
		folds, total int
		gain         answer.Gain
	}{
		{0, 7, answer.Gain{}},
		{1, 7, answer.Gain{}},
		{2, 21, answer.Gain{Of: 10, Before: 10, After: 10}}, // these classes are easy
		{9, 42, answer.Gain{Of: 10, Before: 10, After: 10}}, // at most five folds for five examples
	} {
		last := 0
		l := fewshot.Learning{Descent: descent, Folds: test.folds, Progress: func(now, total int, _ answer.Gain) error {
			if now < last || now > total || total != test.total {
				t.Fatalf("%d folds: %d passes of %d after %d, want %d in all", test.folds, now, total, last, test.total)
			}
			last = now
			return nil
		}}
		learned, gain, err := l.Learn(classes)
		if err != nil || last != test.total {
			t.Fatalf("%d folds: %v after %d of %d passes", test.folds, err, last, test.total)
		}
		if gain != test.gain {
			t.Errorf("%d folds: gain %+v, want %+v", test.folds, gain, test.gain)
		}
		got, err := learned.Scores(nil, query)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d folds: scores %v (%v), want %v", test.folds, got, err, want)
		}
	}
}

// Training does not use held-out examples: an example in the wrong class is misclassified.
func TestLearningHoldsOut(t *testing.T) {
	classes := twoClasses()
	classes[0].Support[1] = examples(2, 9)[8]
	l := fewshot.Learning{Descent: fewshot.Descent{Rate: 0.1, Momentum: 0.9, Dampening: 0.9, Passes: 20}, Folds: 5}
	_, gain, err := l.Learn(classes)
	if want := (answer.Gain{Of: 10, Before: 9, After: 9}); err != nil || gain != want {
		t.Errorf("gain %+v (%v), want %+v", gain, err, want)
	}
}

func TestLearningNeedsExamples(t *testing.T) {
	var l fewshot.Learning
	if _, _, err := l.Learn([]fewshot.Class{{Name: "a"}}); !errors.Is(err, fewshot.ErrEmpty) {
		t.Errorf("error %v, want ErrEmpty", err)
	}
}
