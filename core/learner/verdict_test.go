package learner

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// An answer is the most probable of the classes and of unknown, or says that the classes are so only together.
func TestClassesAreProbableTogether(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	for _, label := range []string{"red", "scarlet", "crimson"} { // the same
		teach(t, l, label, striped(210, 30, 20, 0), striped(220, 40, 30, 1))
	}
	counts := map[bool]int{}
	for shade := range 16 {
		answer := answered(t, l, striped(byte(210-10*shade), 30, byte(20+10*shade), shade))
		v := answer.Verdict
		if first := answer.Scores[0].Score >= 1-v.Known; v.Together != (!v.Unknown && !first) {
			t.Errorf("together is %v, with a best score of %.2f: %+v", v.Together, answer.Scores[0].Score, v)
		}
		counts[v.Together]++
	}
	if counts[true] == 0 || counts[false] == 0 {
		t.Errorf("together: %v, want both", counts)
	}
}

// A stricter method rejects more images. An answer has no verdict if the method does not report
// unknown images.
func TestVerdictFollowsTheMethod(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1), striped(200, 20, 30, 2))
	teach(t, l, "blue", striped(20, 30, 210, 0), striped(30, 40, 220, 1))
	set := func(s method.Strangers) {
		t.Helper()
		m := l.Method()
		m.Strangers = s
		require.NoError(t, l.Configure(m, Tuning{}))
	}
	unknown := 0
	review := require.Value(l.Model().Review(t.Context(), nil))(t)
	if !(review.Reach > 0) {
		t.Errorf("the review has a reach of %v", review.Reach)
	}
	for _, strictness := range []float64{0, 0.25, 0.5, 0.75, 1} {
		set(method.Strangers{Name: true, Strictness: strictness})
		turned := 0
		for shift := range 8 {
			answer := require.Value(l.Model().Classify(striped(20, 220, byte(30*shift), shift)))(t)
			f := answer.Verdict
			if f == nil || f.Unknown != (f.Score < f.Threshold) || !(math.Abs(f.Threshold-review.Threshold(strictness)) <= 1e-12) {
				t.Fatalf("strictness %v: %+v", strictness, f)
			}
			if far := f.Score < f.Threshold-1; f.Unknown != (f.Known <= 0.5) || far && f.Known > 0.45 {
				t.Errorf("strictness %v: an image is known with probability %v: %+v", strictness, f.Known, f)
			}
			if answer.Unknown() != (answer.Label() == "") {
				t.Errorf("unknown is %v, the label %q", answer.Unknown(), answer.Label())
			}
			if answer.Unknown() {
				turned++
			}
		}
		if turned < unknown {
			t.Errorf("strictness %v turns %d away, a lower one %d", strictness, turned, unknown)
		}
		unknown = turned
	}
	if unknown == 0 {
		t.Error("no picture was unknown at the highest strictness")
	}
	set(method.Strangers{Strictness: 1})
	answer := answered(t, l, striped(20, 220, 30, 0))
	if answer.Verdict != nil || answer.Label() == "" {
		t.Errorf("strangers are not named, yet %+v", answer)
	}
	if f, err := l.Model().OpenSetScore(answer); err != nil || f.Threshold <= f.Balanced {
		t.Errorf("asked for all the same: %+v, %v", f, err)
	}
}

// Verdicts reuse the prototype scores of the answer. At any temperature, the result equals that
// of matching again.
func TestFamiliarityOfPrototypes(t *testing.T) {
	for _, text := range []string{
		"", "temperature=40", "balance=off", "weighting=equal", "classifier=nearest", "classifier=prototype", "classifier=prototype temperature=40",
	} {
		way := require.Value(method.Parse(text))(t)
		l := newEngine(t, Options{Method: way})
		teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1), striped(200, 20, 30, 2))
		teach(t, l, "blue", striped(20, 30, 210, 0))
		answer := require.Value(l.Model().Classify(striped(20, 220, 30, 1)))(t)
		m := l.Model()
		usual := require.Value(m.scale())(t)
		require.NoError(t, usual.Fit(m.support()))
		logits := require.Value(usual.Scores(nil, answer.Embedding))(t)
		if want := m.calibrated.calibration.Score(logits); !(math.Abs(answer.Verdict.Score-want) <= 1e-9) {
			t.Errorf("%s: familiar by %v, want %v", text, answer.Verdict.Score, want)
		}
	}
}

// OpenSetScore does not use the scores of an answer from before a change of the classes.
func TestFamiliarityAfterAChange(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1))
	teach(t, l, "blue", striped(20, 30, 210, 0), striped(30, 40, 220, 1))
	picture := striped(215, 35, 25, 4)
	before := answered(t, l, picture)
	require.NoError(t, l.RemoveClass("red"))
	teach(t, l, "green", striped(20, 220, 30, 0), striped(30, 210, 20, 6))
	late := require.Value(l.Model().OpenSetScore(before))(t)
	if again := answered(t, l, picture).Verdict; !(math.Abs(again.Score-late.Score) <= 1e-9) {
		t.Errorf("familiar by %v, classified again %+v", late.Score, again)
	}
}

// Changing only the strictness keeps the refinement.
func TestStrictnessKeepsWhatWasLearned(t *testing.T) {
	l := taughtFor(t, Options{Kit: CommonParts()}, 3, 3)
	train(t, l, Training{Passes: 5})
	m := l.Method()
	m.Strangers.Strictness = 0.9
	require.NoError(t, l.Configure(m, Tuning{}))
	if l.Model().refined == nil {
		t.Error("another strictness forgot what was learned")
	}
	m.Temperature *= 2
	require.NoError(t, l.Configure(m, Tuning{}))
	if l.Model().refined != nil {
		t.Error("what was learned at another temperature still answers")
	}
}

// A learner returned by WithMethod shares the network, but no classes.
func TestFresh(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	teach(t, l, "red", red)
	grid := require.Value(method.Parse("embedder=grid grid=2"))(t)
	fresh := require.Value(l.WithMethod(grid))(t)
	if len(fresh.Classes()) != 0 || fresh.Info().Inputs != 4 || !fresh.Method().Equal(grid) || l.Info().Inputs != 1 {
		t.Errorf("%d classes, %+v, %v", len(fresh.Classes()), fresh.Info(), fresh.Method())
	}
	teach(t, fresh, "blue", blue)
	if got := order(t, l, red); len(got) != 1 || got[0] != "red" {
		t.Errorf("the first learner answers %v", got)
	}
	if _, err := l.WithMethod(method.Method{Classifier: "sfc"}); err == nil {
		t.Error("a method that the kit cannot make gives no error")
	}
}

// An image of one color is unknown, also with the noise of a covered camera, until an example
// shows one color. Lean learners agree.
func TestBlankImagesAreUnknown(t *testing.T) {
	noise := func(v byte, sigma float64) Picture {
		r, p := rand.New(rand.NewPCG(1, uint64(v))), plain(v, v, v, 160, 120)
		for i := range p.Data {
			p.Data[i] = byte(min(max(float64(v)+sigma*r.NormFloat64(), 0), 255))
		}
		return p
	}
	slope := plain(0, 0, 0, 64, 64)
	for i := range slope.Data {
		slope.Data[i] = byte((80 + i/3%64/2) >> (i % 3))
	}
	blank := map[string]Picture{
		"black": plain(0, 0, 0, 16, 12), "white": plain(255, 255, 255, 16, 12), "blue": blue, "covered": noise(9, 8),
	}
	for _, lean := range []bool{false, true} {
		l := newEngine(t, Options{Lean: lean})
		name := func(s method.Strangers) {
			m := l.Method()
			m.Strangers = s
			require.NoError(t, l.Configure(m, Tuning{}))
		}
		name(method.Strangers{Name: true}) // the most lenient
		teach(t, l, "one", speckled(1), speckled(2))
		teach(t, l, "two", speckled(3), speckled(4))
		require.NoError(t, l.AddBackgroundClass("none", "nothing"))
		require.Value(l.AddExample("none", "n0", green))(t)
		for what, p := range blank {
			if a := answered(t, l, p); !a.Unknown() || a.Verdict.Known > 0.5 {
				t.Errorf("lean %v: a %s image is %q, known with probability %v", lean, what, a.Label(), a.Verdict.Known)
			}
		}
		if answered(t, l, speckled(1)).Unknown() {
			t.Errorf("lean %v: an example's image is unknown", lean)
		}
		name(method.Strangers{})
		if a := answered(t, l, blue); a.Unknown() != (a.Verdict.Nothing != "") {
			t.Errorf("lean %v: unknown images are not reported, yet a blue one is: %+v", lean, a.Verdict)
		}
		name(method.Strangers{Name: true})
		teach(t, l, "card", slope)
		if a := answered(t, l, plain(96, 48, 24, 16, 12)); a.Label() != "the card" {
			t.Errorf("lean %v: a card in even light is %q", lean, a.Label())
		}
	}
}

// Spectrograms of steady sounds may have little contrast: they are not blank.
func TestSoundsAreNotBlank(t *testing.T) {
	for _, sound := range []bool{false, true} {
		l := newEngine(t, Options{})
		if sound {
			l = newEngine(t, Options{Hearing: func(p Picture) (*imaging.Image, []float32, error) { return nil, nil, nil }})
		}
		m := l.Method()
		m.Strangers = method.Strangers{Name: true}
		require.NoError(t, l.Configure(m, Tuning{}))
		teach(t, l, "one", speckled(1))
		teach(t, l, "two", speckled(3))
		a := answered(t, l, blue)
		if blank := a.Unknown() && a.Verdict.Score >= a.Verdict.Threshold; blank == sound {
			t.Errorf("sound %v: %+v", sound, a.Verdict)
		}
	}
}

// After Learn, and after a change of the classes, the verdict of a live answer equals that of Classify.
func TestLiveVerdicts(t *testing.T) {
	l := newEngine(t, Options{Kit: CommonParts()})
	same := func(when string) {
		t.Helper()
		p := striped(150, 90, 60, 3)
		live := require.Value(l.Model().ClassifyLive(p))(t)
		if still := answered(t, l, p); *live.Verdict != *still.Verdict {
			t.Errorf("%s: the verdict of a stream is %+v, of a still %+v", when, *live.Verdict, *still.Verdict)
		}
	}
	teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1))
	teach(t, l, "blue", striped(20, 30, 210, 0), striped(30, 40, 220, 1))
	same("first")
	require.Value(l.AddExample("red", "more", striped(180, 60, 50, 5)))(t)
	require.NoError(t, l.Model().Learn(nil, nil))
	same("learned")
	teach(t, l, "green", striped(20, 220, 30, 0), striped(30, 210, 20, 6))
	same("with another class")
	require.NoError(t, l.AddBackground(striped(120, 100, 70, 2)))
	same("with a background class")
}
