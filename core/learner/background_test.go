package learner

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// emptied returns a learner of two colors, with a green scene as background.
func emptied(t *testing.T, m method.Method) *Learner {
	t.Helper()
	l := newEngine(t, Options{Method: m})
	teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1), striped(200, 20, 30, 2))
	teach(t, l, "blue", striped(20, 30, 210, 0), striped(30, 40, 220, 1), striped(40, 20, 230, 2))
	require.NoError(t, l.AddBackgroundClass("empty", "the empty scene"))
	for i := range 4 {
		if _, err := l.AddExample("empty", "", striped(20, 210, 30, i)); err == nil {
			t.Fatal("an example without an id was taken")
		}
		require.Value(l.AddExample("empty", string(rune('k'+i)), striped(20+byte(4*i), 210, 30, i)))(t)
	}
	return l
}

// quiet returns the default method without detection of unknown images.
func quiet() method.Method {
	m := method.Default()
	m.Strangers.Name = false
	return m
}

// Background examples only reject images, even if the method does not report unknown images.
// They do not change the scores of other images.
func TestNothingOnlySaysNo(t *testing.T) {
	l, without := emptied(t, quiet()), emptied(t, quiet())
	require.NoError(t, without.RemoveClass("empty"))
	for i := range 8 {
		scene, red := striped(25, 205+byte(i), 30, i+1), striped(205, 30+byte(i), 25, i)
		if a := answered(t, l, scene); !a.Unknown() || a.Verdict.Nothing != "empty" || a.Label() != "" {
			t.Errorf("frame %d of the empty scene is taken for %q: %+v", i, a.Label(), a.Verdict)
		}
		if a := answered(t, l, red); a.Unknown() || a.Verdict.Nothing != "" || a.Label() != "the red" {
			t.Errorf("red %d is taken for %q: %+v", i, a.Label(), a.Verdict)
		}
		for _, p := range []Picture{scene, red} {
			got, want := answered(t, l, p), answered(t, without, p)
			if len(got.Scores) != 2 {
				t.Fatalf("scores %+v, want two", got.Scores)
			}
			sum := got.Scores[0].Score + got.Scores[1].Score
			if known := got.Verdict.Known; !(math.Abs(sum-known) <= 1e-9) || got.Unknown() != (known <= 0.5) {
				t.Errorf("scores %+v sum to %v, want %v", got.Scores, sum, known)
			}
			if !got.Unknown() && !slices.Equal(got.Scores, want.Scores) {
				t.Errorf("scores %+v, want %+v", got.Scores, want.Scores)
			}
			if want.Verdict != nil {
				t.Error("strangers are named without examples of nothing")
			}
		}
	}
	why, err := l.Model().Explain(answered(t, l, green), "empty")
	if err != nil || why.ClassID != "empty" {
		t.Errorf("why nothing: %+v, %v", why, err)
	}
	require.NoError(t, l.EnableClass("empty", false))
	if a := answered(t, l, striped(25, 205, 30, 1)); a.Unknown() || a.Verdict != nil {
		t.Errorf("a class of nothing that is switched off claims: %+v", a.Verdict)
	}
}

// A learner with background examples only returns CodeEmpty.
func TestNothingAloneIsEmpty(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	require.NoError(t, l.AddBackground(green))
	require.NoError(t, l.AddBackground(striped(20, 210, 30, 1)))
	if c := l.Classes(); len(c) != 1 || !c[0].Background || c[0].Label != BackgroundLabel || len(c[0].Examples) != 2 || !l.IsBackground(c[0].ID) || l.IsBackground("other") {
		t.Fatalf("classes %+v", c)
	}
	var empty *Error
	if _, err := l.Model().Classify(red); !errors.As(err, &empty) || empty.Code != CodeEmpty {
		t.Errorf("%v, want code %q", err, CodeEmpty)
	}
	require.NoError(t, l.Add(BackgroundLabel, red))
	if c := l.Classes(); len(c) != 2 || c[1].Background {
		t.Errorf("a class that is called nothing is one of nothing: %+v", c)
	}
	if a := answered(t, l, striped(210, 30, 20, 1)); len(a.Scores) != 1 {
		t.Errorf("scores %+v", a.Scores)
	}
}

// Adding and removing background examples keeps the refinement.
func TestNothingLeavesTrainingAlone(t *testing.T) {
	l := emptied(t, quiet())
	train(t, l, Training{Passes: 2})
	require.NoError(t, l.RemoveExample("k"))
	require.NoError(t, l.AddBackground(striped(30, 200, 30, 7)))
	if l.Model().refined == nil {
		t.Error("examples of nothing undid the training")
	}
	if a := answered(t, l, striped(25, 205, 30, 1)); !a.Unknown() {
		t.Errorf("%+v", a.Verdict)
	}
}

// A review reports the examples that the background would claim, and the background examples
// that resemble a class. The rest is the same as without background examples.
func TestReviewOfNothing(t *testing.T) {
	l, without := emptied(t, quiet()), emptied(t, quiet())
	require.NoError(t, without.RemoveClass("empty"))
	want, got := reviewed(t, without), reviewed(t, l)
	if n := len(want.Examples); !slices.Equal(got.Examples[:n], want.Examples) || !slices.Equal(got.Known, want.Known) || len(got.Examples) != n+4 {
		t.Errorf("%+v, want it to begin as %+v", got, want)
	}
	for _, e := range got.Examples[6:] {
		if e.ClassID != "empty" || e.Taken != "empty" || e.Margin < 0 || e.Twin != "" || e.Problem != "" {
			t.Errorf("an example of nothing: %+v", e)
		}
	}
	require.Value(l.AddExample("red", "lost", striped(24, 210, 30, 7)))(t)
	for _, e := range reviewed(t, l).Examples {
		if lost := e.ID == "lost"; lost != (e.Taken != e.ClassID) || lost && (e.Taken != "empty" || e.Margin > 0) {
			t.Errorf("the scene among the examples of red: %+v", e)
		}
	}
	require.NoError(t, l.RemoveExample("lost"))
	require.Value(l.AddExample("empty", "stray", striped(205, 35, 25, 1)))(t)
	got = reviewed(t, l)
	stray := got.Examples[len(got.Examples)-1]
	if red := l.Classes()[0].ID; stray.ID != "stray" || stray.Taken != red || stray.Margin >= 0 {
		t.Errorf("red among the examples of nothing: %+v, want it taken for %q", stray, red)
	}
}

// The number of examples of a background class does not change its scores, even if the method
// balances classes.
func TestBackgroundClassesAreNotBalanced(t *testing.T) {
	var scores [2][]float64
	for i, balance := range []bool{false, true} {
		m := quiet()
		m.Balance = balance
		l := require.Value(NewFromFeatures(Shape{Nodes: 2, Channels: 4, Name: "x"}, Options{Method: m}))(t)
		r := rand.New(rand.NewPCG(1, 2))
		for id, examples := range []int{3, 2, 5, 1} {
			class := string(rune('a' + id))
			if id < 2 {
				require.NoError(t, l.AddClass(class, ""))
			} else {
				require.NoError(t, l.AddBackgroundClass(class, ""))
			}
			for k := range examples {
				var p Picture
				for range 2 * 4 {
					p.Embedding = append(p.Embedding, r.Float32())
				}
				require.Value(l.AddExample(class, class+string(rune('0'+k)), p))(t)
			}
		}
		learned := l.Model()
		require.NoError(t, learned.Learn(nil, nil))
		rejection := &learned.calibrated.rejection
		var alone fewshot.Prototype
		require.NoError(t, alone.Fit(supportOf(learned.enabled(true))))
		for i, set := range learned.classes[0].examples {
			want := slices.Max(require.Value(alone.Scores(nil, set.set))(t))
			if got := rejection.known[i].Nothing; !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("balance %v: example %d has the score %v of the background, want %v", balance, i, got, want)
			}
		}
		for _, example := range slices.Concat(rejection.known, rejection.unknown) {
			scores[i] = append(scores[i], example.Nothing)
		}
	}
	if len(scores[0]) != 5+6 || !slices.Equal(scores[0], scores[1]) {
		t.Errorf("scores of the background %v, with balance %v", scores[0], scores[1])
	}
}

// The order of two films of a class and of their frames does not matter to the rejection and its review.
func TestOrderDoesNotMatterToTheBackground(t *testing.T) {
	review := func(reversed bool) (*Learner, map[string]answer.ReviewedExample) {
		l := newEngine(t, Options{Method: quiet()})
		for c, class := range []string{"red", "blue", "empty"} {
			add := l.AddClass
			if class == "empty" {
				add = l.AddBackgroundClass
			}
			require.NoError(t, add(class, class))
			for k := range 4 {
				if reversed {
					k = 3 - k
				}
				color := [3]byte{20, 20, 20}
				color[c] += 120
				color[(c+1)%3] += byte(100*(k/2) + 4*(k%2))
				require.Value(l.AddExample(class, class+string(rune('0'+k)), striped(color[0], color[1], color[2], c+k/2)))(t)
			}
		}
		byID := map[string]answer.ReviewedExample{}
		for _, e := range reviewed(t, l).Examples {
			byID[e.ID] = e
		}
		return l, byID
	}
	l, want := review(false)
	backwards, got := review(true)
	for id, w := range want {
		if g := got[id]; g.Taken != w.Taken || !(math.Abs(g.Margin-w.Margin) <= 1e-4) {
			t.Errorf("%s: %+v, in the other order %+v", id, w, g)
		}
	}
	if a, b := l.Model().calibrated.rejection.boundary.Level, backwards.Model().calibrated.rejection.boundary.Level; !(math.Abs(a-b) <= 1e-4) {
		t.Errorf("the boundary is %v, in the other order %v", a, b)
	}
}
