package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

func settingsMeta() *EpisodeSettings {
	s := EpisodeDefaults()
	s.Way, s.Shot, s.Query, s.Episodes = 3, 2, 2, 6
	s.Stages = []Stage{{Epochs: 3, Size: 32, Batch: 12}}
	s.Std = [3]float32{1, 1, 1}
	return &s
}

func learns(t *testing.T, s *EpisodeSettings, threads int) *Matcher {
	t.Helper()
	b := require.Value(backbone.Plan{Widths: []int{16, 16, 16, 32}}.Build(1, backbone.Options{Threads: threads}))(t)
	l := require.Value(NewMatcher(s, b))(t)
	return l
}

func episode(s *EpisodeSettings, seed uint64) Batch {
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		panic(err)
	}
	inputs := s.pictures() * nodesOf(embedder).Inputs()
	b := Batch{Images: networktest.Pictures(inputs, 32, seed), Labels: make([]int, s.Way*s.Query)}
	for i := range b.Labels {
		b.Labels[i] = i % s.Way
	}
	return b
}

// TestGradientIsTheSlope steps along the whole gradient: the loss must rise by
// its square times the step, through scores, flows and backbone.
func TestGradientIsTheSlope(t *testing.T) {
	for _, test := range []struct {
		layer string
		method.Embedder
		strangers int
	}{
		{"interior-l2", method.Embedder{Pyramid: []int{1}}, 0},
		{"interior-l2", method.Embedder{Pyramid: []int{1}}, 3},
		{"interior-qp", method.Embedder{Pyramid: []int{1}}, 0},
		{"sinkhorn", method.Embedder{Pyramid: []int{1}}, 0},
		{"interior-l2", method.Embedder{Kind: method.Grid, Grid: []int{1, 2}}, 0},
		{"interior-l2", method.Embedder{Kind: method.Sampling, Patches: 5}, 0},
	} {
		s := settingsMeta()
		s.Layer, s.Epsilon = test.layer, 0.2 // a flow smooth enough for differences
		s.Strangers, s.StrangerMargin = test.strangers, 1
		s.Embedder, s.Pyramid, s.Grid, s.Patches = test.Kind, test.Pyramid, test.Grid, test.Patches
		l := learns(t, s, 2)
		batch := episode(s, 3)
		loss := func() float64 {
			o := require.Value(l.Gradients(batch, nil))(t)
			return o.Loss
		}
		loss()
		norm, values, gradients := 0.0, [][]float32{}, [][]float32{}
		for _, p := range l.Params() {
			values, gradients = append(values, append([]float32(nil), p.Value...)), append(gradients, append([]float32(nil), p.Grad...))
			for _, g := range p.Grad {
				norm += float64(g) * float64(g)
			}
		}
		move := func(by float64) float64 {
			for i, p := range l.Params() {
				for j, v := range values[i] {
					p.Value[j] = v + float32(by*float64(gradients[i][j]))
				}
				if p.Changed != nil {
					p.Changed()
				}
			}
			return loss()
		}
		step := 1e-3 / math.Sqrt(norm)
		if slope := (move(step) - move(-step)) / (2 * step); math.Abs(slope/norm-1) > 0.05 {
			t.Errorf("%v: the loss rises by %g along the gradient, whose square is %g", test, slope, norm)
		}
	}
}

func TestGradientsDoNotDependOnThreads(t *testing.T) {
	s := settingsMeta()
	gradients := func(threads int) (all []float32) {
		l := learns(t, s, threads)
		require.Value(l.Gradients(episode(s, 4), nil))(t)
		for _, p := range l.Params() {
			all = append(all, p.Grad...)
		}
		return all
	}
	want := gradients(1)
	for i, v := range gradients(3) {
		if v != want[i] {
			t.Fatalf("gradient %d is %g on three threads, %g on one", i, v, want[i])
		}
	}
}

// stripes is a source of episodes of pictures whose class is the direction of
// their stripes.
type stripesMeta struct{ s *EpisodeSettings }

func (e stripesMeta) Steps(Stage) int { return e.s.Episodes }

func (e stripesMeta) Batches(ctx context.Context, stage Stage, epoch, from int) (func() (Batch, error), func()) {
	return Ahead(ctx, from, e.s.Episodes, func(number int) (Batch, error) {
		r := rand.New(rand.NewPCG(uint64(epoch), uint64(number)))
		b := episode(e.s, 0)
		b.Images = tensor.New(b.Images.Shape...)
		for n := range b.Images.Shape[0] {
			angle := math.Pi * float64(n%e.s.Way) / float64(e.s.Way)
			for i := range stage.Size * stage.Size {
				v := math.Sin(float64(i%stage.Size)*math.Cos(angle)+float64(i/stage.Size)*math.Sin(angle)) + 0.5*r.NormFloat64()
				for c := range 3 {
					b.Images.Row(n)[3*i+c] = float32(v)
				}
			}
		}
		return b, nil
	})
}

// TestLearns runs whole epochs by each layer: the loss must fall.
func TestMetaLearns(t *testing.T) {
	for _, kind := range []string{"interior-l2", "held"} {
		s := settingsMeta()
		s.Layer, s.Rate = kind, 0.02
		first, last := 0.0, 0.0
		l := learns(t, s, 2)
		sgd := backbone.NewSGD(l.Params(), s.Momentum, s.WeightDecay, s.Nesterov, 2)
		next, stop := (stripesMeta{s}).Batches(t.Context(), s.Stages[0], 0, 0)
		defer stop()
		for step := range s.Episodes {
			batch := require.Value(next())(t)
			o := require.Value(l.Gradients(batch, nil))(t)
			if last = o.Loss; step == 0 {
				first = last
			}
			sgd.Step(s.Rate, backbone.ClipScale(require.Value(backbone.GradientNorm(l.Params(), nil, 2))(t), s.Clip))
		}
		if !(last < 0.7*first) {
			t.Errorf("%s: the loss goes from %g to %g", kind, first, last)
		}
	}
}

func TestMetaSettingsAreChecked(t *testing.T) {
	good := EpisodeDefaults()
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(s *EpisodeSettings){
		"layer": func(s *EpisodeSettings) { s.Layer = "magic" }, "way": func(s *EpisodeSettings) { s.Way = 1 },
		"halve_every": func(s *EpisodeSettings) { s.HalveEvery = 0 }, "epsilon": func(s *EpisodeSettings) { s.Epsilon = -1 },
		"pyramid": func(s *EpisodeSettings) { s.Pyramid = []int{2, 0} }, "embedder": func(s *EpisodeSettings) { s.Embedder = "magic" },
		"grid": func(s *EpisodeSettings) { s.Embedder, s.Grid = "grid", []int{0} }, "patches": func(s *EpisodeSettings) { s.Embedder, s.Patches = "sampling", -1 },
		"validation_patches of fcn": func(s *EpisodeSettings) { s.ValidationPatches = 25 },
		"strangers":                 func(s *EpisodeSettings) { s.Strangers = 17 }, "stranger_weight": func(s *EpisodeSettings) { s.StrangerWeight = -1 },
		"grid of fcn": func(s *EpisodeSettings) { s.Grid = []int{2} }, "at_once": func(s *EpisodeSettings) { s.AtOnce = 100 },
	} {
		s := EpisodeDefaults()
		spoil(&s)
		if err := s.Check(); err == nil {
			t.Errorf("a bad %s gives no error", name)
		}
	}
}

// TestMargin compares the loss of two queries and a stranger with the sum written out.
func TestMargin(t *testing.T) {
	const way = 2
	logits := []float32{2, -1, 0.5, 0.25, 1, 0}
	gradient := make([]float32, len(logits))
	m := margin{by: 0.5, weight: 3}
	e := func(a, b float64) float64 { return math.Log(math.Exp(a) + math.Exp(b)) }
	short := func(query float64) float64 { return math.Log(1 + math.Exp(0.5+e(1, 0)-query)) }
	want := 3 * (short(e(2, -1)) + short(e(0.5, 0.25))) / 2
	if got := m.add(gradient, logits, 2, way, 1); math.Abs(got-want) > 1e-6 {
		t.Errorf("the loss is %g, want %g", got, want)
	}
	for i := range gradient {
		if up := i >= 2*way; (gradient[i] > 0) != up {
			t.Errorf("gradient %d is %g: strangers are to score less, queries more", i, gradient[i])
		}
	}
	far := []float32{1000, 0, -1000, 0}
	if got := (margin{weight: 1}).add(make([]float32, 4), far, 1, way, 1); got != 0 {
		t.Errorf("a stranger that is far below has a loss of %g", got)
	}
	if got := m.add(gradient, logits[:4], 2, way, 1); got != 0 {
		t.Errorf("no strangers have a loss of %g", got)
	}
}

// TestEpisodesOfStrangers: a batch ends with pictures of classes that its episode does
// not have; where too few classes are left for them, that is said.
func TestEpisodesOfStrangers(t *testing.T) {
	s := settingsMeta()
	s.Way, s.Shot, s.Query, s.Strangers = 2, 1, 2, 1
	set := folderMeta(t, 4)
	e, err := NewEpisodes(set, set.Classes(), s, augment.Policy{})
	require.NoError(t, err)
	for number := range 20 {
		names, err := e.names(number)
		if err != nil || len(names) != 2+4+2 {
			t.Fatalf("%d pictures, %v: want 2 examples, 4 queries, 2 strangers", len(names), err)
		}
		var inside []string
		for i, name := range names {
			class := path.Dir(name)
			if i < 2 {
				inside = append(inside, class)
			}
			if known := slices.Contains(inside, class); known != (i < 6) {
				t.Errorf("episode %d: picture %d, %s, beside the classes %q", number, i, name, inside)
			}
		}
	}
	few := folderMeta(t, 3)
	_, err = NewEpisodes(few, few.Classes(), s, augment.Policy{})
	if err == nil || !strings.Contains(err.Error(), "1 classes are left outside an episode") {
		t.Errorf("error %v, want one that says how many classes are left", err)
	}
}

// TestStrangersTakePart: their part of the loss grows with their weight.
func TestStrangersTakePart(t *testing.T) {
	s := settingsMeta()
	s.Strangers = 2
	next, stop := (stripesMeta{s}).Batches(context.Background(), s.Stages[0], 0, 0)
	defer stop()
	batch := require.Value(next())(t)
	loss := func(weight float64) float64 {
		s.StrangerWeight = weight
		o := require.Value(learns(t, s, 1).Gradients(batch, nil))(t)
		return o.Loss
	}
	none, one, two := loss(0), loss(1), loss(2)
	if !(one > none) || math.Abs(two-one-(one-none)) > 1e-5 {
		t.Errorf("strangers of weight 0, 1 and 2 give losses of %g, %g and %g", none, one, two)
	}
}
