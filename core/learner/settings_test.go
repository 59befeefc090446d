package learner

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

func TestConfigureKeepsWhatWasTaught(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "red", red)
	teach(t, e, "blue", blue)
	logit := func() float64 {
		t.Helper()
		answer := require.Value(e.Model().Classify(red))(t)
		if answer.Scores[0].ID != "red" {
			t.Fatalf("red is taken for %s", answer.Scores[0].ID)
		}
		return answer.Scores[0].Logit
	}
	usual := logit()
	forwards := e.Model().net.encoder.(*fakeEncoder).forwards
	for _, m := range []method.Method{
		{Classifier: "nearest"}, {Classifier: "fusion"}, {Classifier: "merge"}, {Classifier: "cosine"}, {Solver: "dense"}, {Weighting: "equal"},
	} {
		if err := e.Configure(with(m).Method, Tuning{}); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		logit()
	}
	require.NoError(t, e.Configure(with(method.Method{Temperature: 2 * method.Temperature}).Method, Tuning{}))
	if got := logit(); !(math.Abs(got-2*usual) <= 1e-5*usual) {
		t.Errorf("at twice the temperature the logit is %v, want twice %v", got, usual)
	}
	if got := e.Model().net.encoder.(*fakeEncoder).forwards - forwards; got != 7 {
		t.Errorf("%d passes through the network for 7 pictures", got)
	}
	for _, m := range []method.Method{{Classifier: "best"}, {Solver: "guess"}, {Weighting: "heavy"}, {Temperature: -1}, {Temperature: math.NaN()}} {
		if err := e.Configure(with(m).Method, Tuning{}); codeOf(err) != CodeBadArgument {
			t.Errorf("%+v: error %v, want bad-argument", m, err)
		}
	}
	if got := logit(); !(math.Abs(got-2*usual) <= 1e-5*usual) {
		t.Errorf("refused options have changed the logit to %v", got)
	}
}

func TestDisabledClassesArePassedOver(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "red", red)
	teach(t, e, "blue", blue)
	require.NoError(t, e.EnableClass("red", false))
	answer, err := e.Model().Classify(red)
	if err != nil || len(answer.Scores) != 1 || answer.Scores[0].ID != "blue" {
		t.Fatalf("scores %+v, %v; want blue alone", answer, err)
	}
	require.NoError(t, e.EnableClass("blue", false))
	if _, err := e.Model().Classify(red); codeOf(err) != CodeEmpty {
		t.Errorf("with all classes disabled: %v, want empty", err)
	}
	require.NoError(t, e.EnableClass("red", true))
	if answer, err := e.Model().Classify(red); err != nil || answer.Scores[0].ID != "red" {
		t.Errorf("enabled again: %+v, %v", answer, err)
	}
	if err := e.EnableClass("nobody", true); codeOf(err) != CodeUnknownClass {
		t.Errorf("error %v, want unknown-class", err)
	}
}

func TestOriginalIsMoreOfThePictureThanWasEmbedded(t *testing.T) {
	for _, c := range []struct {
		name    string
		opt     Options
		picture Picture
		want    int
	}{
		{"a large picture", with(method.Method{}), plain(1, 2, 3, 100, 90), 32},
		{"a small one", with(method.Method{}), plain(1, 2, 3, 20, 12), 12},
		{"one of the network's size", with(method.Method{}), plain(1, 2, 3, 8, 8), 0},
		{"crops see all there is", with(method.Method{Embedder: method.Embedder{Kind: method.Sampling}}), plain(1, 2, 3, 100, 90), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEngine(t, c.opt)
			teach(t, e, "a")
			seen := require.Value(e.AddExample("a", "1", c.picture))(t)
			side := 0
			if seen.Original != nil {
				side = seen.Original.Width
			}
			if side != c.want {
				t.Errorf("an original of side %d, want %d", side, c.want)
			}
		})
	}
}

func codeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}

// Callers may reuse and change the settings that they pass or receive.
func TestSettingsAreCopied(t *testing.T) {
	asked := method.Method{Embedder: method.Embedder{Kind: method.FCN, Pyramid: []int{2, 1}}}
	e := newEngine(t, Options{Method: asked})
	asked.Embedder.Pyramid[0] = 5
	e.Method().Embedder.Pyramid[0] = 5
	e.Info().Widths[0]++
	teach(t, e, "red", red)
	if got := e.Method().Embedder.Pyramid; !slices.Equal(got, []int{2, 1}) {
		t.Errorf("the pyramid became %v", got)
	}
	info := e.Info()
	if got := len(e.Classes()[0].Examples[0].Embedding); got != info.Nodes*info.Channels {
		t.Errorf("an example has %d values, want %d×%d", got, info.Nodes, info.Channels)
	}
	if want := newEngine(t, with(method.Method{})).Info().Widths; !slices.Equal(info.Widths, want) {
		t.Errorf("widths became %v, want %v", info.Widths, want)
	}
}

func TestZeroLearnerNamesTheRemedy(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "call Open, New or NewFromFeatures") {
			t.Errorf("panic %q", text)
		}
	}()
	new(Learner).Add("red", red)
}
