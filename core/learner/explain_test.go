package learner

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// speckled returns an image with 16×16 random pixels.
func speckled(seed uint64) Picture {
	r := rand.New(rand.NewPCG(seed, 7))
	p := Picture{Width: 16, Height: 16}
	for range 16 * 16 * 3 {
		p.Data = append(p.Data, byte(r.IntN(256)))
	}
	return p
}

// An explanation contains the best match with a class's examples, which is the score of the
// classifier Nearest.
func TestExplainFindsTheBestExample(t *testing.T) {
	for _, choice := range []method.Embedder{{}, {Pyramid: []int{2, 1}}, {Kind: "grid", Grid: []int{1, 2}}, {Kind: "sampling", Patches: 4}} {
		for _, weighting := range []string{"cross-reference", "equal"} {
			t.Run(choice.Kind+" "+weighting, func(t *testing.T) {
				e := newEngine(t, with(method.Method{Classifier: "nearest", Weighting: weighting, Embedder: choice}))
				teach(t, e, "a", speckled(1), speckled(2), speckled(3))
				teach(t, e, "b", speckled(4), speckled(5), speckled(6), speckled(7))
				chosen := map[string]bool{}
				for seed := range uint64(12) {
					answer := answered(t, e, speckled(100+seed))
					for _, score := range answer.Scores {
						got := require.Value(e.Model().Explain(answer, score.ID))(t)
						chosen[got.ExampleID] = true
						if got.ClassID != score.ID || got.Label != "the "+score.ID || got.ExampleID[:1] != score.ID {
							t.Errorf("asked about %q: explains %q (%s) by %q", score.ID, got.ClassID, got.Label, got.ExampleID)
						}
						if !(math.Abs(got.Score-score.Logit) <= 1e-9) {
							t.Errorf("the best match of %s scores %v, the class %v", score.ID, got.Score, score.Logit)
						}
						if got.From.N() != e.Info().Nodes || got.To.N() != e.Info().Nodes {
							t.Errorf("%d and %d nodes, want %d", got.From.N(), got.To.N(), e.Info().Nodes)
						}
						var parts float64
						for _, link := range got.Links(0) {
							parts += link.Score
						}
						if !(math.Abs(parts-got.Score) <= 1e-9) {
							t.Errorf("links add up to %v of %v", parts, got.Score)
						}
					}
					if won, err := e.Model().Explain(answer, ""); err != nil || won.ClassID != answer.Scores[0].ID {
						t.Errorf("without a class: %+v, %v, want %s", won, err, answer.Scores[0].ID)
					}
				}
				if len(chosen) < 4 {
					t.Errorf("only %v were ever chosen", chosen)
				}
			})
		}
	}
}

func TestExplainFollowsWhatIsTaught(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "a", speckled(1), speckled(2))
	teach(t, e, "b", speckled(3))
	teach(t, e, "none")
	a := answered(t, e, speckled(2))
	best := func() string {
		t.Helper()
		got := require.Value(e.Model().Explain(a, "a"))(t)
		return got.ExampleID
	}
	if got := best(); got != "a1" {
		t.Errorf("a picture is explained by %s, not by itself", got)
	}
	require.NoError(t, e.RemoveExample("a1"))
	if got := best(); got != "a0" {
		t.Errorf("explained by %s after its example was removed", got)
	}
	require.Value(e.AddExample("a", "again", speckled(2)))(t)
	if got := best(); got != "again" {
		t.Errorf("explained by %s, not by the new example", got)
	}
	_, err := e.Model().Explain(a, "none")
	wantCode(t, err, CodeEmpty)
	_, err = e.Model().Explain(a, "nobody")
	wantCode(t, err, CodeUnknownClass)
	for _, id := range []string{"a", "b"} {
		require.NoError(t, e.RemoveClass(id))
	}
	_, err = e.Model().Explain(a, "")
	wantCode(t, err, CodeUnknownClass)
}

// An explanation has the node weights of the method, also after another method has explained the
// same example.
func TestExplainFollowsTheMethod(t *testing.T) {
	opt := with(method.Method{Weighting: "k-means:2"})
	opt.Kit = AllParts()
	e := newEngine(t, opt)
	teach(t, e, "a", speckled(1))
	teach(t, e, "b", speckled(2))
	merged := e.Model()
	explained := func(m *Model, nodes int) {
		t.Helper()
		a := require.Value(m.Classify(speckled(9)))(t)
		why := require.Value(m.Explain(a, "a"))(t)
		if why.From.N() != nodes || why.To.N() != nodes {
			t.Errorf("matched %d with %d nodes, want %d", why.From.N(), why.To.N(), nodes)
		}
	}
	explained(merged, 2)
	require.NoError(t, e.Configure(method.Method{}, Tuning{}))
	explained(e.Model(), e.Info().Nodes)
	explained(merged, 2)
}

// An embedding alone lacks the places of its random crops.
func TestExplainNeedsThePlacesOfRandomCrops(t *testing.T) {
	e := newEngine(t, with(method.Method{Embedder: method.Embedder{Kind: method.Sampling}}))
	teach(t, e, "a", speckled(1))
	set := require.Value(e.Embed(speckled(2)))(t)
	a := answered(t, e, Picture{Embedding: set.Data})
	if why, err := e.Model().Explain(a, "a"); !errors.Is(err, match.ErrRegions) {
		t.Errorf("%v, explained %+v of crops at %v", err, why.From, set.Regions)
	}
}

// An answer that no model has given has nothing to explain.
func TestEmptyAnswers(t *testing.T) {
	l := newEngine(t, Options{})
	require.NoError(t, l.Add("red", red))
	for _, class := range []string{"", "class-1"} {
		_, err := l.Model().Explain(&Answer{}, class)
		wantCode(t, err, CodeBadArgument)
	}
	_, err := l.Model().OpenSetScore(nil)
	wantCode(t, err, CodeBadArgument)
	_, err = l.Model().OpenSetScore(&Answer{})
	wantCode(t, err, CodeBadArgument)
	if label := new(Answer).Label(); label != "" {
		t.Errorf("label %q", label)
	}
}

// Later calls do not change an explanation.
func TestExplanationsAreTheCallers(t *testing.T) {
	e := newEngine(t, with(method.Method{}))
	teach(t, e, "a", speckled(1), speckled(2))
	teach(t, e, "b", speckled(3))
	explained := func(seed uint64) *answer.Explanation {
		t.Helper()
		x := require.Value(e.Model().Explain(answered(t, e, speckled(seed)), "a"))(t)
		return x
	}
	first := explained(10)
	before := fmt.Sprint(first.Match)
	explained(11)
	if got := fmt.Sprint(first.Match); got != before {
		t.Errorf("the next explanation changed this one:\n%s\n%s", before, got)
	}
}

// wideEncoder returns random features in the shape of the default network's: 5×5×320.
type wideEncoder struct{ fakeEncoder }

func (wideEncoder) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	out := tensor.New(batch.Shape[0], 5, 5, 320)
	r := rand.New(rand.NewPCG(uint64(batch.Data[0]*1000), 3))
	for i := range out.Data {
		out.Data[i] = r.Float32()
	}
	return out, nil
}

// BenchmarkExplain measures Explain for different numbers of examples.
func BenchmarkExplain(b *testing.B) {
	for _, examples := range []int{1, 5, 20, 100} {
		b.Run(fmt.Sprint(examples), func(b *testing.B) {
			e := require.Value(New(&wideEncoder{}, with(method.Method{})))(b)
			require.NoError(b, e.AddClass("a", "a"))
			for i := range examples {
				require.Value(e.AddExample("a", fmt.Sprint(i), speckled(uint64(i))))(b)
			}
			m, a := e.Model(), answered(b, e, speckled(1000))
			for b.Loop() {
				require.Value(m.Explain(a, "a"))(b)
			}
		})
	}
}

// An explanation splits the logits of a mixture into match and head, even after changes of the
// examples. It has no parts if there is no head.
func TestExplanationsTakeTheHeadApart(t *testing.T) {
	e := newEngine(t, with(method.Method{Classifier: method.Mixture}))
	teach(t, e, "a", speckled(1))
	teach(t, e, "b", speckled(2))
	var latest *Answer
	logits := func() map[string]float64 {
		t.Helper()
		latest = answered(t, e, speckled(9))
		by := map[string]float64{}
		for _, s := range latest.Scores {
			by[s.ID] = s.Logit
		}
		return by
	}
	explained := func() *answer.Explanation {
		t.Helper()
		why := require.Value(e.Model().Explain(latest, "b"))(t)
		return why
	}
	check := func(why *answer.Explanation, want map[string]float64, when string) {
		t.Helper()
		if len(why.Head) != len(want) {
			t.Fatalf("%s: the shares are %+v, want those of %d classes", when, why.Head, len(want))
		}
		var added float64
		for i, s := range why.Head {
			if id := string(rune('a' + i)); s.ClassID != id || s.Label != "the "+id || !(math.Abs(s.Match+s.Head-want[id]) <= 1e-9) {
				t.Errorf("%s: shares %+v of class %s, want the sum %v", when, s, id, want[id])
			}
			added += math.Abs(s.Head)
		}
		if added < 0.1 {
			t.Errorf("%s: the head added nothing: %+v", when, why.Head)
		}
	}
	one := logits()
	check(explained(), one, "one example a class")
	for i := range uint64(3) {
		for _, id := range []string{"a", "b"} {
			require.Value(e.AddExample(id, fmt.Sprint(id, 10+i), speckled(10*i+uint64(id[0]))))(t)
		}
	}
	later := explained()
	check(later, logits(), "examples came")
	check(explained(), logits(), "classified again")

	require.NoError(t, e.Configure(method.Method{Classifier: method.Prototype}, Tuning{}))
	logits()
	if why := explained(); why.Head != nil {
		t.Errorf("prototypes: the head added %+v, want nothing", why.Head)
	}
}
