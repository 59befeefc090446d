package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

func settingsMeta() *EpisodeSettings {
	s := EpisodeDefaults()
	s.Way, s.Shot, s.Query, s.Episodes = 3, 2, 2, 6
	s.Stages = []Stage{{Epochs: 3, Size: 32}}
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
	}{
		{"interior-l2", method.Embedder{Pyramid: []int{1}}},
		{"interior-qp", method.Embedder{Pyramid: []int{1}}},
		{"sinkhorn", method.Embedder{Pyramid: []int{1}}},
		{"interior-l2", method.Embedder{Kind: method.Grid, Grid: []int{1, 2}}},
		{"interior-l2", method.Embedder{Kind: method.Sampling, Patches: 5}},
	} {
		s := settingsMeta()
		s.Layer, s.Epsilon = test.layer, 0.2 // a flow smooth enough for differences
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
				p.Changed()
			}
			return loss()
		}
		step := 1e-3 / math.Sqrt(norm)
		if slope := (move(step) - move(-step)) / (2 * step); !(math.Abs(slope/norm-1) <= 0.05) {
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

func (e stripesMeta) Images(Stage) int { return e.s.pictures() }

func (e stripesMeta) Batches(ctx context.Context, stage Stage, epoch, from int) (func() (Batch, error), func()) {
	return data.Ahead(ctx, from, e.s.Episodes, func(_ context.Context, number int) (Batch, error) {
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
		"grid of fcn":               func(s *EpisodeSettings) { s.Grid = []int{2} }, "at_once": func(s *EpisodeSettings) { s.AtOnce = 100 },
		"batch": func(s *EpisodeSettings) { s.Stages[0].Batch = 80 },
	} {
		s := EpisodeDefaults()
		spoil(&s)
		if err := s.Check(); err == nil {
			t.Errorf("a bad %s gives no error", name)
		}
	}
}
