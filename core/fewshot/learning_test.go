package fewshot_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// In steps and after a check it learns what Fit does.
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
		{9, 42, answer.Gain{Of: 10, Before: 10, After: 10}}, // five examples make no more than five folds
	} {
		l := fewshot.Learning{Descent: descent, Folds: test.folds}
		require.NoError(t, l.Start(classes))
		last := -1
		for done := false; !done; {
			now, total := l.Passes()
			if now < last || now > total || total != test.total {
				t.Fatalf("%d folds: %d passes of %d after %d, want %d in all", test.folds, now, total, last, test.total)
			}
			last = now
			var err error
			if done, err = l.Step(); err != nil {
				t.Fatal(err)
			}
		}
		if now, total := l.Passes(); now != total {
			t.Errorf("%d folds: done after %d of %d passes", test.folds, now, total)
		}
		if l.Gain() != test.gain {
			t.Errorf("%d folds: gain %+v, want %+v", test.folds, l.Gain(), test.gain)
		}
		got, err := l.Learned().Scores(nil, query)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d folds: scores %v (%v), want %v", test.folds, got, err, want)
		}
	}
}

// What is held out is not learned from: an example in the wrong class is asked for
// and not found there.
func TestLearningHoldsOut(t *testing.T) {
	classes := twoClasses()
	classes[0].Support[1] = examples(2, 9)[8]
	l := fewshot.Learning{Descent: fewshot.Descent{Rate: 0.1, Momentum: 0.9, Dampening: 0.9, Passes: 20}, Folds: 5}
	require.NoError(t, l.Start(classes))
	for done := false; !done; {
		var err error
		if done, err = l.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if want := (answer.Gain{Of: 10, Before: 9, After: 9}); l.Gain() != want {
		t.Errorf("gain %+v, want %+v", l.Gain(), want)
	}
}

func TestLearningNeedsExamples(t *testing.T) {
	var l fewshot.Learning
	if err := l.Start([]fewshot.Class{{Name: "a"}}); !errors.Is(err, fewshot.ErrEmpty) {
		t.Errorf("error %v, want ErrEmpty", err)
	}
}
