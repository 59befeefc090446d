package learner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// taughtFor returns a learner with a class for each number of shots: shades of one color.
func taughtFor(t testing.TB, opt Options, shots ...int) *Learner {
	t.Helper()
	e := require.Value(New(&fakeEncoder{}, opt))(t)
	for i, n := range shots {
		require.NoError(t, e.AddClass(fmt.Sprint(i), ""))
		for j := range n {
			require.Value(e.AddExample(fmt.Sprint(i), fmt.Sprintf("%d-%d", i, j), shade(i, j)))(t)
		}
	}
	return e
}

// shade returns an image in one of three colors, in a different shade for each number.
func shade(color, number int) Picture {
	rgb := [3]byte{byte(20 + 7*number%60), byte(30 + 11*number%50), byte(25 + 5*number%70)}
	rgb[color] += 120
	return plain(rgb[0], rgb[1], rgb[2], 16, 12)
}

// train refines a learner and publishes the result.
func train(t testing.TB, l *Learner, how Training) Trained {
	t.Helper()
	var last Trained
	refined, gain, err := l.Model().Refine(context.Background(), how, func(now Trained) error {
		if now.Done < last.Done || now.Total == 0 {
			t.Errorf("%+v came after %+v", now, last)
		}
		last = now
		return nil
	})
	if err == nil {
		err = l.Publish(refined)
	}
	require.NoError(t, err)
	if gain != last.Gain || last.Done != last.Total {
		t.Errorf("trained %+v, the gain is %+v", last, gain)
	}
	return last
}

func logits(t testing.TB, e *Learner, picture Picture) []float64 {
	t.Helper()
	answer, err := e.Model().Classify(picture)
	return byClass(t, answer, err)
}

// liveLogits returns the logits of ClassifyLive.
func liveLogits(t testing.TB, e *Learner, picture Picture) []float64 {
	t.Helper()
	answer, err := e.Model().ClassifyLive(picture)
	return byClass(t, answer, err)
}

// byClass returns the logits of an answer in the order of the classes' ids.
func byClass(t testing.TB, a *Answer, err error) []float64 {
	t.Helper()
	require.NoError(t, err)
	scores := slices.SortedFunc(slices.Values(a.Scores), func(a, b answer.Score) int {
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

// A refinement with a check gives the same scores as SFC.Fit, until the examples change.
func TestTrainIsSFC(t *testing.T) {
	e := taughtFor(t, with(method.Method{}), 5, 4, 1)
	before := logits(t, e, shade(1, 30))
	if got := train(t, e, Training{Passes: 9, Check: true}); got.Done != 27 || got.Total != 27 || got.Gain.Of != 9 {
		t.Errorf("trained %+v, want 3 times 9 passes, because the five similar shades are two parts, and 9 examples held out", got)
	}
	if got := train(t, taughtFor(t, with(method.Method{}), 1, 1), Training{Passes: 9, Check: true}); got != (Trained{Done: 9, Total: 9}) {
		t.Errorf("trained %+v, want 9 passes, because no example can be held out", got)
	}
	sfc := fewshot.SFC{Descent: fewshot.Descent{Passes: 9}}
	require.NoError(t, sfc.Fit(e.Model().support()))
	query := queryOf(t, e, shade(1, 30))
	want := require.Value(sfc.Scores(nil, query))(t)
	if got := logits(t, e, shade(1, 30)); !slices.Equal(got, want) || slices.Equal(got, before) {
		t.Errorf("learned logits %v, want %v; before they were %v", got, want, before)
	}
	require.NoError(t, e.RenameClass("0", "other"))
	if got := logits(t, e, shade(1, 30)); !slices.Equal(got, want) {
		t.Errorf("after a new name: %v, want %v", got, want)
	}
	require.Value(e.AddExample("2", "new", shade(2, 9)))(t)
	fresh := taughtFor(t, with(method.Method{}), 5, 4, 1)
	require.Value(fresh.AddExample("2", "new", shade(2, 9)))(t)
	if got, want := logits(t, e, shade(1, 30)), logits(t, fresh, shade(1, 30)); !near(got, want) {
		t.Errorf("after a new example: %v, want means again, %v", got, want)
	}
}

// Trained classes have the method's solver.
func TestTrainKeepsTheSolver(t *testing.T) {
	e := newEngine(t, with(method.Method{Solver: method.Dense}))
	teach(t, e, "a", speckled(1), speckled(2))
	teach(t, e, "b", speckled(3), speckled(4))
	train(t, e, Training{Passes: 2})
	sfc := fewshot.SFC{Matcher: match.Matcher{Solver: new(match.Dense)}, Descent: fewshot.Descent{Passes: 2}}
	require.NoError(t, sfc.Fit(e.Model().support()))
	want := require.Value(sfc.Scores(nil, queryOf(t, e, speckled(9))))(t)
	if got := logits(t, e, speckled(9)); !slices.Equal(got, want) {
		t.Errorf("learned logits %v, with the method's solver %v", got, want)
	}
}

// A canceled refinement, or one with outdated examples, does not affect answers. The learner
// remains usable while it runs.
func TestRefinementIsInterrupted(t *testing.T) {
	l := taughtFor(t, with(method.Method{}), 3, 3)
	plain := logits(t, l, shade(0, 8))
	stopped := errors.New("stopped")
	refined, _, err := l.Model().Refine(context.Background(), Training{Passes: 50}, func(now Trained) error {
		if got := logits(t, l, shade(0, 8)); !slices.Equal(got, plain) {
			t.Errorf("while it learns it answers %v, want %v", got, plain)
		}
		if now.Done > 0 {
			return stopped
		}
		return nil
	})
	if !errors.Is(err, stopped) || refined != nil {
		t.Errorf("stopped: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := l.Model().Refine(ctx, Training{Passes: 50}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	for name, change := range map[string]func() error{
		"an example went": func() error { return l.RemoveExample("0-0") },
		"an example came": func() error { _, err := l.AddExample("0", "new", shade(0, 9)); return err },
		"a class went":    func() error { return l.EnableClass("1", false) },
	} {
		require.NoError(t, l.EnableClass("1", true))
		refined, _, err := l.Model().Refine(context.Background(), Training{Passes: 2}, nil)
		require.NoError(t, err)
		require.NoError(t, change())
		if wantCode(t, l.Publish(refined), CodeChanged); l.Model().refined != nil {
			t.Errorf("%s, and what was learned before answers", name)
		}
	}
	wantCode(t, l.Publish(l.Model()), CodeBadArgument)
	wantCode(t, l.Publish(nil), CodeBadArgument)
}

// A refinement answers until an example changes: classes without examples do not affect it.
func TestRefinementOutlivesEmptyClasses(t *testing.T) {
	l := taughtFor(t, with(method.Method{}), 3, 3)
	refined, _, err := l.Model().Refine(context.Background(), Training{Passes: 2}, nil)
	require.NoError(t, errors.Join(err, l.Publish(refined)))
	learned := logits(t, l, shade(0, 8))
	require.NoError(t, errors.Join(l.AddClass("empty", "Empty"), l.EnableClass("empty", false), l.EnableClass("empty", true), l.RemoveClass("empty")))
	if got := logits(t, l, shade(0, 8)); l.Model().refined == nil || !slices.Equal(got, learned) {
		t.Errorf("after a class without examples came and went: %v, want %v", got, learned)
	}
}

// The examples of a disabled class do not affect a refinement, which ends when the class is enabled.
func TestRefinementOutlivesDisabledClasses(t *testing.T) {
	l := taughtFor(t, with(method.Method{}), 3, 3, 2)
	require.NoError(t, errors.Join(l.Add("more", shade(2, 20)), l.EnableClass("2", false), l.EnableClass("class-1", false)))
	refined, _, err := l.Model().Refine(context.Background(), Training{Passes: 2}, nil)
	require.NoError(t, err)
	require.Value(l.AddExample("2", "new", shade(2, 9)))(t)
	require.NoError(t, l.Publish(refined))
	learned := logits(t, l, shade(0, 8))
	require.Value(l.AddExample("2", "newer", shade(2, 10)))(t)
	require.NoError(t, errors.Join(l.RemoveExample("2-0"), l.RemoveClass("class-1")))
	if got := logits(t, l, shade(0, 8)); l.Model().refined == nil || !slices.Equal(got, learned) {
		t.Errorf("after changes of disabled classes: %v, want %v", got, learned)
	}
	require.NoError(t, l.EnableClass("2", true))
	fresh := taughtFor(t, with(method.Method{}), 3, 3, 2)
	require.Value(fresh.AddExample("2", "new", shade(2, 9)))(t)
	require.Value(fresh.AddExample("2", "newer", shade(2, 10)))(t)
	require.NoError(t, fresh.RemoveExample("2-0"))
	if got, want := logits(t, l, shade(0, 8)), logits(t, fresh, shade(0, 8)); !near(got, want) {
		t.Errorf("enabled: %v, want %v", got, want)
	}
}

// The first answer fits the classifier while another goroutine begins to train; for the race detector.
func TestTrainingDuringTheFirstAnswer(t *testing.T) {
	m := taughtFor(t, Options{}, 3, 3).Model()
	answered := make(chan error)
	go func() {
		_, err := m.Classify(shade(0, 9))
		answered <- err
	}()
	_, _, err := m.Refine(context.Background(), Training{Passes: 1}, nil)
	require.NoError(t, errors.Join(err, <-answered))
}

func TestTrainErrors(t *testing.T) {
	merging := with(method.Method{Weighting: "k-means:2"})
	merging.Kit = AllParts()
	for name, test := range map[string]struct {
		engine *Learner
		how    Training
		code   Code
	}{
		"nothing":   {taughtFor(t, with(method.Method{})), Training{Passes: 1}, CodeEmpty},
		"one class": {taughtFor(t, with(method.Method{}), 3, 0), Training{Passes: 1}, CodeEmpty},
		"passes":    {taughtFor(t, with(method.Method{}), 1, 1), Training{}, CodeBadArgument},
		"too many":  {taughtFor(t, with(method.Method{}), 1, 1), Training{Passes: 10_001}, CodeBadArgument},
		"nearest":   {taughtFor(t, with(method.Method{Classifier: "nearest"}), 1, 1), Training{Passes: 1}, CodeBadArgument},
		"merging":   {taughtFor(t, merging, 1, 1), Training{Passes: 1}, CodeBadArgument},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := test.engine.Model().Refine(context.Background(), test.how, nil)
			wantCode(t, err, test.code)
		})
	}
}

// Adding examples one at a time gives the same answers as a single fit.
func TestExamplesAreTakenIn(t *testing.T) {
	for _, classifier := range []string{"mixture", "prototype", "nearest"} {
		for _, skip := range []bool{false, true} {
			grown := require.Value(New(&fakeEncoder{}, Options{Method: with(method.Method{Classifier: classifier}).Method, Tuning: Tuning{Skip: skip}}))(t)
			for i := range 3 {
				require.NoError(t, grown.AddClass(fmt.Sprint(i), ""))
			}
			for j := range 4 {
				for i := range 3 - j%2 {
					require.Value(grown.AddExample(fmt.Sprint(i), fmt.Sprintf("%d-%d", i, j), shade(i, j)))(t)
					logits(t, grown, shade(i, 20+j)) // fits the classifier
				}
			}
			if grown.Model().stale {
				t.Errorf("%s: the classifier did not take the examples in", classifier)
			}
			kept := logits(t, grown, shade(2, 40))
			grown.Model().stale = true
			if got := logits(t, grown, shade(2, 40)); !near(got, kept) {
				t.Errorf("%s: taken in one by one %v, fitted %v", classifier, kept, got)
			}
		}
	}
}

// The check compares with the learner's classifier: a mixture with the same examples.
func TestTrainChecksAgainstTheMixture(t *testing.T) {
	e := taughtFor(t, with(method.Method{Classifier: method.Mixture}), 5, 4, 3)
	got := train(t, e, Training{Passes: 3, Check: true})
	var want answer.Gain
	support := e.Model().support()
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
		before, after := &fewshot.Mixture{Balance: true}, &fewshot.SFC{Descent: fewshot.Descent{Passes: 3}}
		require.NoError(t, errors.Join(before.Fit(rest), after.Fit(rest)))
		for c, class := range support {
			for i, set := range class.Support {
				if i%folds != fold {
					continue
				}
				want.Of++
				if fewshot.Best(require.Value(before.Scores(nil, set))(t)) == c {
					want.Before++
				}
				if fewshot.Best(require.Value(after.Scores(nil, set))(t)) == c {
					want.After++
				}
			}
		}
	}
	if got.Gain != want || want.Of != 12 {
		t.Errorf("gain %+v, want %+v", got.Gain, want)
	}
	if why, err := explainedAfter(e, shade(1, 30)); err != nil || why.Head != nil {
		t.Errorf("the layer answers, and the head added %+v (%v)", why.Head, err)
	}
	e.Rollback()
	if why, err := explainedAfter(e, shade(1, 30)); err != nil || len(why.Head) != 3 {
		t.Errorf("the mixture answers again, and the head added %+v (%v)", why.Head, err)
	}
}

func explainedAfter(e *Learner, picture Picture) (*answer.Explanation, error) {
	m := e.Model()
	a, err := m.Classify(picture)
	if err != nil {
		return nil, err
	}
	return m.Explain(a, "")
}

func TestSkippedClassesSaySo(t *testing.T) {
	e, exact := taughtFor(t, Options{Tuning: Tuning{Skip: true}}, 2, 2, 2), taughtFor(t, with(method.Method{}), 2, 2, 2)
	bounds := 0
	for i := range 3 {
		for j := range 9 {
			got := require.Value(e.Model().Classify(shade(i, j+50)))(t)
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
	set := require.Value(e.Embed(picture))(t)
	return set
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-5 })
}
