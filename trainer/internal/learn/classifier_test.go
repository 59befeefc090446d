package learn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// stripes is a batch of pictures whose class, one of three, is the direction of their stripes.
func stripes(seed uint64, side, n int) Batch {
	r := rand.New(rand.NewPCG(0, seed))
	b := Batch{Images: tensor.New(n, side, side, 3), Labels: make([]int, n), Rotations: make([]int, n)}
	for k := range n {
		b.Labels[k], b.Rotations[k] = r.IntN(3), r.IntN(Rotations)
		angle := math.Pi * float64(b.Labels[k]) / 3
		for i := range side * side {
			v := math.Sin(float64(i%side)*math.Cos(angle)+float64(i/side)*math.Sin(angle)) + 0.3*r.NormFloat64()
			for c := range 3 {
				b.Images.Row(k)[3*i+c] = float32(v)
			}
		}
	}
	return b
}

func settings() *ClassifySettings {
	s := ClassifyDefaults()
	s.Widths = []int{16, 16, 16, 32}
	s.Stages = []Stage{{Epochs: 2, Size: 16, Batch: 12}, {Epochs: 1, Size: 32, Batch: 8}}
	s.DropBlock, s.Dropout, s.LabelSmoothing, s.WarmUp, s.Threads = 0.1, 0.1, 0.05, 3, 2
	return &s
}

// built is the backbone of settings.
func built(t *testing.T, s *ClassifySettings) *backbone.Network {
	t.Helper()
	mixed, _, err := backbone.Precision(s.Precision)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan.Build(s.Seed, backbone.Options{Threads: s.Threads, DropBlock: s.DropBlock, Mixed: mixed})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSettingsAreChecked(t *testing.T) {
	good := ClassifyDefaults()
	require.NoError(t, good.Check())
	for name, spoil := range map[string]func(s *ClassifySettings){
		"widths": func(s *ClassifySettings) { s.Widths = []int{1, 2} }, "stages": func(s *ClassifySettings) { s.Stages = nil },
		"pixels": func(s *ClassifySettings) { s.Stages[0].Size = 8 }, "batch": func(s *ClassifySettings) { s.Stages[0].Batch = 1 },
		"rate": func(s *ClassifySettings) { s.Rate = math.NaN() }, "schedule": func(s *ClassifySettings) { s.Schedule = "none" },
		"std": func(s *ClassifySettings) { s.Std[1] = 0 }, "dropout": func(s *ClassifySettings) { s.Dropout = 1 },
	} {
		s := ClassifyDefaults()
		spoil(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("bad %s: %v", name, err)
		}
	}
}
