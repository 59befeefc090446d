package learner

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// studied returns a learner with two classes and 40 examples each, which takes long to train.
func studied(t *testing.T) *Learner {
	t.Helper()
	l := require.Value(New(&wideEncoder{}, with(method.Method{Classifier: method.Mixture})))(t)
	for c := range uint64(2) {
		var pictures []Picture
		for i := range uint64(40) {
			pictures = append(pictures, speckled(100*c+i))
		}
		teach(t, l, fmt.Sprint(c), pictures...)
	}
	return l
}

// Live answers do not wait for Learn. Afterwards they equal the answers of Classify.
func TestLearnEndsInTheSameAnswers(t *testing.T) {
	l, picture := studied(t), speckled(1000)
	want := logits(t, studied(t), picture)
	first := liveLogits(t, l, picture)
	if near(first, want) {
		t.Error("80 examples were learned for an answer of a stream")
	}
	pauses := 0
	err := l.Model().Learn(context.Background(), func(int, int) error {
		if pauses++; pauses == 3 {
			if got := liveLogits(t, l, picture); !near(got, first) {
				t.Errorf("while it learns it answers %v, want %v", got, first)
			}
		}
		return nil
	})
	if err != nil || pauses < 50 {
		t.Errorf("80 examples were learned in %d pieces (%v)", pauses, err)
	}
	if got := liveLogits(t, l, picture); !near(got, want) {
		t.Errorf("learned in pieces %v, at once %v", got, want)
	}
	require.Value(l.AddExample("0", "more", speckled(77)))(t)
	m := l.Model()
	a := require.Value(m.ClassifyLive(picture))(t)
	if why, err := m.Explain(a, ""); err != nil || len(why.Head) != 2 {
		t.Errorf("an example came: the head adds %+v (%v), want it to go on", why.Head, err)
	}
}

// Classify waits until the classifier has learned from all examples.
func TestStillsAreAnsweredByAllExamples(t *testing.T) {
	l, picture := studied(t), speckled(1000)
	live := liveLogits(t, l, picture)
	still := logits(t, l, picture)
	if near(live, still) {
		t.Error("80 examples were learned for an answer of a stream")
	}
	if after := liveLogits(t, l, picture); !near(after, still) {
		t.Errorf("the next of the stream %v, a still before it %v", after, still)
	}
}

// The progress of Learn and Review counts each score of an example of an enabled class.
func TestProgressCountsEnabledClasses(t *testing.T) {
	for name, test := range map[string]struct {
		work func(*Model, func(done, total int) error) error
		want int
	}{
		"learn": {func(m *Model, progress func(done, total int) error) error { return m.Learn(nil, progress) }, 14},
		"review": {func(m *Model, progress func(done, total int) error) error {
			_, err := m.Review(nil, progress)
			return err
		}, 21},
	} {
		l := taughtFor(t, with(method.Method{Strangers: method.Strangers{Name: true}}), 3, 4, 5)
		require.NoError(t, l.EnableClass("2", false))
		last := [2]int{}
		require.NoError(t, test.work(l.Model(), func(done, total int) error {
			last = [2]int{done, total}
			return nil
		}))
		if last != [2]int{test.want, test.want} {
			t.Errorf("%s ends at %d of %d, want %d of as many", name, last[0], last[1], test.want)
		}
	}
}

// Long work ends with the first error of progress, whenever it comes.
func TestErrorsOfProgressEndTheWork(t *testing.T) {
	stopped := errors.New("stopped")
	for name, work := range map[string]func(m *Model, progress func() error) error{
		"learn": func(m *Model, progress func() error) error {
			return m.Learn(nil, func(int, int) error { return progress() })
		},
		"review": func(m *Model, progress func() error) error {
			_, err := m.Review(nil, func(int, int) error { return progress() })
			return err
		},
		"curve": func(m *Model, progress func() error) error {
			_, err := m.LearningCurve(nil, func(*answer.Curve) error { return progress() })
			return err
		},
		"refine": func(m *Model, progress func() error) error {
			_, _, err := m.Refine(nil, Training{Passes: 1, Check: true}, func(Trained) error { return progress() })
			return err
		},
	} {
		for at := 1; ; at++ {
			calls := 0
			err := work(emptied(t, method.Default()).Model(), func() error {
				if calls++; calls == at {
					return stopped
				}
				return nil
			})
			if calls < at {
				require.NoError(t, err)
				break
			}
			if err != stopped || calls != at {
				t.Fatalf("%s: an error of call %d of progress gives %v after %d calls", name, at, err, calls)
			}
		}
	}
}

func TestLearnNothing(t *testing.T) {
	l := newEngine(t, Options{})
	if err := l.Model().Learn(context.Background(), nil); err != nil {
		t.Errorf("without examples: %v", err)
	}
}

// Review gives the same results before and after Learn, which measures the images. A lean learner
// stores no images after Learn.
func TestPicturesAreLookedAtWhenThereIsTime(t *testing.T) {
	var reviews []*answer.Review
	for _, studies := range []bool{false, true} {
		l := require.Value(New(&wideEncoder{}, Options{Lean: true}))(t)
		for c := range uint64(2) {
			var pictures []Picture
			for i := range uint64(20) {
				pictures = append(pictures, speckled(100*c+i/2))
			}
			teach(t, l, fmt.Sprint(c), pictures...)
		}
		if studies {
			require.NoError(t, l.Model().Learn(context.Background(), nil))
		}
		for _, e := range l.Model().classes[1].examples {
			if (e.looks == nil) == studies || (e.fresh == nil) != studies || e.seen != nil {
				t.Fatalf("studied %v: looks %v, pixels left %v, kept %v", studies, e.looks != nil, e.fresh != nil, e.seen != nil)
			}
		}
		reviews = append(reviews, reviewed(t, l))
	}
	if !reflect.DeepEqual(reviews[0], reviews[1]) {
		t.Errorf("without a look before %+v, with %+v", reviews[0], reviews[1])
	}
	twins := 0
	for _, e := range reviews[0].Examples {
		if e.Twin != "" {
			twins++
		}
	}
	if twins < 20 {
		t.Errorf("%d twins, want the 20 that were taught", twins)
	}
}
