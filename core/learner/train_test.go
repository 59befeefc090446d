package learner

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
)

// taughtFor returns an engine with three classes of so many examples each, shades
// of one colour.
func taughtFor(t testing.TB, opt Options, shots ...int) *Learner {
	t.Helper()
	e, err := New(&fakeEncoder{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range shots {
		if err := e.AddClass(fmt.Sprint(i), ""); err != nil {
			t.Fatal(err)
		}
		for j := range n {
			if _, err := e.AddExample(fmt.Sprint(i), fmt.Sprintf("%d-%d", i, j), shade(i, j)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return e
}

// shade is a picture of one of three colours, another for each number.
func shade(colour, number int) Picture {
	rgb := [3]byte{byte(20 + 7*number%60), byte(30 + 11*number%50), byte(25 + 5*number%70)}
	rgb[colour] += 120
	return plain(rgb[0], rgb[1], rgb[2], 16, 12)
}

func train(t testing.TB, e *Learner, how Train) *Trained {
	t.Helper()
	trained, err := e.Train(how)
	for err == nil && !trained.Finished {
		trained, err = e.TrainSlice(time.Microsecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	return trained
}

func logits(t testing.TB, e *Learner, picture Picture) []float64 {
	t.Helper()
	answer, err := e.Classify(picture)
	return byClass(t, answer, err)
}

// liveLogits are those of a picture of a stream.
func liveLogits(t testing.TB, e *Learner, picture Picture) []float64 {
	t.Helper()
	answer, err := e.ClassifyLive(picture)
	return byClass(t, answer, err)
}

// byClass lists the logits of an answer in the order of the classes' ids.
func byClass(t testing.TB, said *answer.Answer, err error) []float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	scores := slices.SortedFunc(slices.Values(said.Scores), func(a, b answer.Score) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	var list []float64
	for _, s := range scores {
		list = append(list, s.Logit)
	}
	return list
}

// What is learned in slices, with a check before, answers as the classifier does
// that was fitted in one go; until something changes.
func TestTrainIsSFC(t *testing.T) {
	e := taughtFor(t, with(method.Method{}), 5, 4, 1)
	before := logits(t, e, shade(1, 30))
	if got := train(t, e, Train{Passes: 9, Check: true}); got.Done != 54 || got.Total != 54 || got.Gain.Of != 9 {
		t.Errorf("trained %+v, want 6 times 9 passes and 9 examples held out", got)
	}
	sfc := fewshot.SFC{Descent: fewshot.Descent{Passes: 9}}
	if err := sfc.Fit(e.support()); err != nil {
		t.Fatal(err)
	}
	query := queryOf(t, e, shade(1, 30))
	want, err := sfc.Scores(nil, query)
	if err != nil {
		t.Fatal(err)
	}
	if got := logits(t, e, shade(1, 30)); !slices.Equal(got, want) || slices.Equal(got, before) {
		t.Errorf("learned logits %v, want %v; before they were %v", got, want, before)
	}
	if err := e.RenameClass("0", "other"); err != nil {
		t.Fatal(err)
	}
	if got := logits(t, e, shade(1, 30)); !slices.Equal(got, want) {
		t.Errorf("after a new name: %v, want %v", got, want)
	}
	if _, err := e.AddExample("2", "new", shade(2, 9)); err != nil {
		t.Fatal(err)
	}
	fresh := taughtFor(t, with(method.Method{}), 5, 4, 1)
	if _, err := fresh.AddExample("2", "new", shade(2, 9)); err != nil {
		t.Fatal(err)
	}
	if got, want := logits(t, e, shade(1, 30)), logits(t, fresh, shade(1, 30)); !near(got, want) {
		t.Errorf("after a new example: %v, want means again, %v", got, want)
	}
}

func TestTrainIsInterrupted(t *testing.T) {
	e := taughtFor(t, with(method.Method{}), 3, 3)
	plain := logits(t, e, shade(0, 8))
	begin := func() {
		t.Helper()
		if _, err := e.Train(Train{Passes: 50}); err != nil {
			t.Fatal(err)
		}
		if got, err := e.TrainSlice(time.Microsecond); err != nil || got.Finished {
			t.Fatalf("a slice: %+v, %v", got, err)
		}
	}
	stale := func(why string) {
		t.Helper()
		_, err := e.TrainSlice(time.Microsecond)
		if wantCode(t, err, CodeChanged); err == nil {
			t.Error(why)
		}
	}
	begin()
	if got := logits(t, e, shade(0, 8)); !slices.Equal(got, plain) {
		t.Errorf("while it learns it answers %v, want %v", got, plain)
	}
	e.StopTraining()
	stale("stopped")
	if got := logits(t, e, shade(0, 8)); !slices.Equal(got, plain) {
		t.Errorf("after it was stopped it answers %v, want %v", got, plain)
	}
	begin()
	if err := e.RemoveExample("0-0"); err != nil {
		t.Fatal(err)
	}
	stale("an example went")
	begin()
	if _, err := e.AddExample("0", "new", shade(0, 9)); err != nil {
		t.Fatal(err)
	}
	stale("an example came")
	begin()
	if err := e.RemoveClass("1"); err != nil {
		t.Fatal(err)
	}
	stale("a class went")
}

func TestTrainErrors(t *testing.T) {
	for name, test := range map[string]struct {
		engine *Learner
		how    Train
		code   Code
	}{
		"nothing":   {taughtFor(t, with(method.Method{})), Train{Passes: 1}, CodeEmpty},
		"one class": {taughtFor(t, with(method.Method{}), 3, 0), Train{Passes: 1}, CodeEmpty},
		"passes":    {taughtFor(t, with(method.Method{}), 1, 1), Train{}, CodeBadArgument},
		"too many":  {taughtFor(t, with(method.Method{}), 1, 1), Train{Passes: 10_001}, CodeBadArgument},
		"nearest":   {taughtFor(t, with(method.Method{Classifier: "nearest"}), 1, 1), Train{Passes: 1}, CodeBadArgument},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.engine.Train(test.how)
			wantCode(t, err, test.code)
		})
	}
}

// Adding examples one by one and fitting them all at once give the same answers.
func TestExamplesAreTakenIn(t *testing.T) {
	for _, classifier := range []string{"mixture", "prototype", "nearest"} {
		for _, skip := range []bool{false, true} {
			grown, err := New(&fakeEncoder{}, Options{Kit: CommonParts(), Method: with(method.Method{Classifier: classifier}).Method, Tuning: Tuning{Skip: skip}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				if err := grown.AddClass(fmt.Sprint(i), ""); err != nil {
					t.Fatal(err)
				}
			}
			for j := range 4 {
				for i := range 3 - j%2 {
					if _, err := grown.AddExample(fmt.Sprint(i), fmt.Sprintf("%d-%d", i, j), shade(i, j)); err != nil {
						t.Fatal(err)
					}
					logits(t, grown, shade(i, 20+j)) // fitted from the first one on
				}
			}
			if grown.stale {
				t.Errorf("%s: the classifier did not take the examples in", classifier)
			}
			kept := logits(t, grown, shade(2, 40))
			grown.stale = true
			if got := logits(t, grown, shade(2, 40)); !near(got, kept) {
				t.Errorf("%s: taken in one by one %v, fitted %v", classifier, kept, got)
			}
		}
	}
}

// The check compares with what answers: a mixture that learned from the same examples.
func TestTrainChecksAgainstTheMixture(t *testing.T) {
	e := taughtFor(t, with(method.Method{Classifier: method.Mixture}), 5, 4, 3)
	got := train(t, e, Train{Passes: 3, Check: true})
	right := 0
	support := e.support()
	for fold := range folds {
		rest := slices.Clone(support)
		for c := range rest {
			rest[c].Support = nil
			for i, set := range support[c].Support {
				if i%folds != fold {
					rest[c].Support = append(rest[c].Support, set)
				}
			}
		}
		m := &fewshot.Mixture{Balance: true}
		if err := m.Fit(rest); err != nil {
			t.Fatal(err)
		}
		for c, class := range support {
			for i, set := range class.Support {
				if i%folds != fold {
					continue
				}
				scores, err := m.Scores(nil, set)
				if err != nil {
					t.Fatal(err)
				}
				if slices.Index(scores, slices.Max(scores)) == c {
					right++
				}
			}
		}
	}
	if got.Gain.Of != 12 || got.Gain.Before != right {
		t.Errorf("gain %+v, want %d of 12 right before", got.Gain, right)
	}
	if why, err := explainedAfter(e, shade(1, 30)); err != nil || why.Head != nil {
		t.Errorf("the layer answers, and the head added %+v (%v)", why.Head, err)
	}
	e.StopTraining()
	if why, err := explainedAfter(e, shade(1, 30)); err != nil || len(why.Head) != 3 {
		t.Errorf("the mixture answers again, and the head added %+v (%v)", why.Head, err)
	}
}

func explainedAfter(e *Learner, picture Picture) (*answer.Explanation, error) {
	if _, err := e.Classify(picture); err != nil {
		return nil, err
	}
	return e.Explain("")
}

func TestSkippedClassesSaySo(t *testing.T) {
	e, exact := taughtFor(t, Options{Kit: CommonParts(), Tuning: Tuning{Skip: true}}, 2, 2, 2), taughtFor(t, with(method.Method{}), 2, 2, 2)
	bounds := 0
	for i := range 3 {
		for j := range 9 {
			got, err := e.Classify(shade(i, j+50))
			if err != nil {
				t.Fatal(err)
			}
			want := logits(t, exact, shade(i, j+50))
			for place, s := range got.Scores {
				if place == 0 && (s.Bound || s.Logit != slices.Max(want)) {
					t.Errorf("the best is %+v, want %v", s, want)
				}
				if s.Bound {
					bounds++
				}
			}
		}
	}
	if bounds == 0 {
		t.Error("no class was skipped")
	}
}

func queryOf(t testing.TB, e *Learner, picture Picture) *embed.Set {
	t.Helper()
	_, set, err := e.local(picture)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-5 })
}
