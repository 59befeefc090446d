package learner

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// striped returns a sharp image with stripes in one color, moved by shift.
func striped(r, g, b byte, shift int) Picture {
	p := Picture{Width: 64, Height: 64}
	for y := range 64 {
		for x := range 64 {
			k := byte(1)
			if (x+shift+y/3)/2%3 == 0 || (x*(shift+3)+y*7)%11 < 3 {
				k = 2
			}
			p.Data = append(p.Data, r/k, g/k, b/k)
		}
	}
	return p
}

func TestReview(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	if _, err := e.Model().Review(context.Background(), nil); codeOf(err) != CodeEmpty {
		t.Errorf("without examples: %v, want empty", err)
	}
	teach(t, e, "red", striped(220, 30, 20, 0), striped(210, 40, 30, 1), striped(30, 40, 220, 5), striped(220, 35, 30, 7))
	teach(t, e, "blue", striped(20, 30, 240, 2), striped(30, 40, 230, 3), striped(30, 40, 230, 3), plain(3, 2, 9, 64, 64))
	r := reviewed(t, e)
	if len(r.Examples) != 8 || len(r.Known) != 8 || len(r.Unknown) != 8 || r.Estimated || len(r.Classes) != 2 {
		t.Fatalf("review %+v: want all 8 examples of 2 classes left out", r)
	}
	of := map[string]answer.ReviewedExample{}
	for _, x := range r.Examples {
		of[x.ID] = x
	}
	if x := of["red2"]; x.Taken != "blue" || x.Margin >= 0 || x.ClassID != "red" {
		t.Errorf("the blue picture among red ones: %+v, want it taken for blue", x)
	}
	if x := of["red0"]; x.Taken != "red" || x.Margin <= 0 || x.Problem != "" {
		t.Errorf("a red picture: %+v", x)
	}
	if of["blue2"].Twin != "blue1" || of["blue1"].Twin != "" {
		t.Errorf("twins %q and %q, want the second to name the first", of["blue1"].Twin, of["blue2"].Twin)
	}
	if of["blue3"].Problem != "dark" {
		t.Errorf("an all but black picture: %+v", of["blue3"])
	}
	require.NoError(t, e.EnableClass("blue", false))
	if r := reviewed(t, e); len(r.Examples) != 4 || r.Examples[0].Taken != "" {
		t.Errorf("with one class: %+v; want its 4 examples, taken for nothing", r)
	}
}

// Review marks exactly the examples in the wrong class as mislabeled, in classes of three or more.
func TestReviewMarksMislabeled(t *testing.T) {
	for name, c := range map[string]struct{ right, wrong, marked int }{
		"none":         {9, 0, 0},
		"five":         {9, 5, 5},
		"one of three": {2, 1, 1},
		"too few":      {1, 1, 0},
	} {
		e := newEngine(t, with(method.Method{}))
		red := func(i int) Picture { return striped(byte(210+2*i), byte(30+3*i), 20, i) }
		blue := func(i int) Picture { return striped(20, byte(30+3*i), byte(225+2*i), i+3) }
		var reds, blues []Picture
		for i := range c.right {
			reds = append(reds, red(i))
		}
		for i := range 9 {
			blues = append(blues, blue(i))
		}
		teach(t, e, "red", reds...)
		teach(t, e, "blue", blues...)
		for i := range c.wrong {
			require.Value(e.AddExample("red", "wrong"+string(rune('0'+i)), blue(i+10)))(t)
		}
		marked := 0
		for _, x := range reviewed(t, e).Examples {
			if x.Mislabeled {
				marked++
				if !strings.HasPrefix(x.ID, "wrong") {
					t.Errorf("%s: %s is said to be in the wrong class", name, x.ID)
				}
			}
		}
		if marked != c.marked {
			t.Errorf("%s: %d are mislabeled, want %d", name, marked, c.marked)
		}
	}
}

// The margins of a review are margins of the mixture without the example and its part of the class.
func TestReviewOfAMixture(t *testing.T) {
	shifts := map[string]int{"red": 0, "blue": 9}
	opt := with(method.Method{Classifier: method.Mixture, Temperature: 20})
	opt.Method.Balance = false
	e := newEngine(t, opt)
	for _, id := range []string{"red", "blue"} {
		var pictures []Picture
		for i := range 6 {
			pictures = append(pictures, striped(byte(120+9*i), byte(60+7*i+shifts[id]), byte(130-5*i+3*shifts[id]), i+shifts[id]))
		}
		teach(t, e, id, pictures...)
	}
	r := reviewed(t, e)
	m := e.Model()
	support := m.support()
	for at, x := range r.Examples {
		class, i := at/6, at%6
		rest := slices.Clone(support)
		for _, part := range fewshot.Separate(m.calibrated.left.Runs[class]) {
			if part.From <= i && i < part.To {
				rest[class].Support = slices.Delete(slices.Clone(rest[class].Support), part.From, part.To)
			}
		}
		matcher := require.Value(m.opt.Kit.Matcher(e.Method()))(t)
		matcher.Temperature = method.Temperature
		p := &fewshot.Prototype{Matcher: matcher}
		require.NoError(t, p.Fit(rest))
		scores := require.Value(p.Scores(nil, support[class].Support[i]))(t)
		require.NoError(t, m.classifier.(*fewshot.Mixture).Without(scores, class, i))
		if want := scores[class] - scores[1-class]; !(math.Abs(x.Margin-want) <= 1e-4) {
			t.Errorf("%s has a margin of %v, want %v", x.ID, x.Margin, want)
		}
		if taken := m.fitted[slices.Index(scores, slices.Max(scores))].id; x.Taken != taken {
			t.Errorf("%s is taken for %s, want %s", x.ID, x.Taken, taken)
		}
	}
}

// With Balance, a left-out example has the scores of a learner without it, even if its class is then
// the smallest. The frames of a film are left out together.
func TestLeftOutIsWithoutTheExample(t *testing.T) {
	for _, counts := range [][]int{{2, 2}, {2, 3, 5}, {5, 3, 3}, {1, 5, 2}} {
		l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 12}, Options{Method: require.Value(method.Parse("classifier=prototype"))(t)})
		noisy(t, l, 2, counts...)
		film := make([]float32, 4*12)
		film[5] = 1
		for range counts[0] - 1 {
			require.NoError(t, l.Add("class 0", Picture{Embedding: film}))
		}
		m, j := l.Model(), new(job)
		require.NoError(t, m.begin())
		c := require.Value(m.calibrate(j))(t)
		got := require.Value(m.leftOut(c, j))(t)
		all, at := m.support(), 0
		for class, runs := range c.left.Runs {
			for _, part := range fewshot.Separate(runs) {
				for _, example := range all[class].Support[part.From:part.To] {
					if rest := slices.Clone(all); len(all[class].Support) > 1 {
						rest[class].Support = slices.Delete(slices.Clone(all[class].Support), part.From, part.To)
						fresh := require.Value(m.opt.Kit.Classifier(m.opt.Method, Tuning{}))(t)
						require.NoError(t, fresh.Fit(rest))
						for o, want := range require.Value(fresh.Scores(nil, example))(t) {
							if !(math.Abs(got.Scores[at][o]-want) <= 1e-5) {
								t.Errorf("%v examples, number %d against class %d: %v, want %v", counts, at, o, got.Scores[at][o], want)
							}
						}
					}
					at++
				}
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "red", striped(220, 30, 20, 0), striped(210, 40, 30, 1))
	teach(t, e, "blue", striped(20, 30, 240, 2), striped(30, 40, 230, 3))
	score := func(p Picture) float64 {
		t.Helper()
		u := require.Value(e.Model().OpenSetScore(answered(t, e, p)))(t)
		if u.Estimated {
			t.Error("estimated, though examples can be left out")
		}
		return u.Score
	}
	known, stranger := score(striped(215, 35, 25, 4)), score(striped(20, 220, 30, 4))
	if known <= stranger {
		t.Errorf("a red picture is known by %v, a green one by %v", known, stranger)
	}
	// The temperature changes probabilities, but not the familiarity.
	require.NoError(t, e.Configure(with(method.Method{Temperature: 30}).Method, Tuning{}))
	if again := score(striped(215, 35, 25, 4)); again != known {
		t.Errorf("at another temperature known by %v, before by %v", again, known)
	}
	// Adding a class changes the calibration immediately.
	teach(t, e, "green", striped(20, 220, 30, 0), striped(30, 210, 20, 6))
	if now := score(striped(20, 220, 30, 4)); now <= stranger {
		t.Errorf("green is known by %v once it was taught, before by %v", now, stranger)
	}
}
