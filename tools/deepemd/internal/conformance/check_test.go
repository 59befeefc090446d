package conformance

import (
	"math"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/data"
)

func TestCompare(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name      string
		measure   Measure
		got, want []float64
		worst     float64
		passed    bool
	}{
		{"equal", Absolute, []float64{1, 2}, []float64{1, 2}, 0, true},
		{"within", Absolute, []float64{1.0625, 2}, []float64{1, 2}, 0.0625, true},
		{"beyond", Absolute, []float64{1, 1.5}, []float64{1, 2}, 0.5, false},
		{"relative", Relative, []float64{1.0625, 20}, []float64{1, 20}, 0.0625, true},
		{"relative to a small value", Relative, []float64{0.25, 20}, []float64{0.125, 20}, 1, false},
		{"relative to zero", Relative, []float64{1e-12}, []float64{0}, math.Inf(1), false},
		{"both zero", Relative, []float64{0}, []float64{0}, 0, true},
		{"relative to the rms", RelativeRMS, []float64{3, 0.25, -3, 0.25}, []float64{3, 0, -3, 0}, 0.25 / math.Sqrt(4.5), true},
		{"NaN", Absolute, []float64{nan, 1}, []float64{1, 1}, math.Inf(1), false},
		{"NaN wanted", Absolute, []float64{1, 1}, []float64{nan, 1}, math.Inf(1), false},
		{"missing", Absolute, []float64{1}, []float64{1, 2}, math.Inf(1), false},
		{"nothing", Absolute, nil, nil, 0, false},
	}
	for _, test := range tests {
		check := compare(test.name, test.measure, 0.15, test.got, test.want)
		if check.Worst != test.worst && math.Abs(check.Worst-test.worst) > 1e-12 || check.Passed() != test.passed {
			t.Errorf("%s: worst %v, passed %v; want %v, %v", test.name, check.Worst, check.Passed(), test.worst, test.passed)
		}
	}
}

func TestAgreement(t *testing.T) {
	want := []float32{1, 2, 5, 4}
	for _, test := range []struct {
		got    []float32
		share  float64
		passed bool
	}{
		{[]float32{1, 2, 5, 4}, 1, true},
		{[]float32{2, 1, 5, 4}, 0.5, false},
	} {
		rows, share := agreement(test.got, want, 2)
		check := Check{Compared: 4, Queries: rows, Agreement: share}
		if rows != 2 || share != test.share || check.Passed() != test.passed {
			t.Errorf("%v: %v of %d rows, passed %v", test.got, share, rows, check.Passed())
		}
	}
}

func TestBound(t *testing.T) {
	var episodes []data.Episode
	var logits []float32
	for e := range 3 {
		episodes = append(episodes, data.Episode{Query: make([]string, 10)})
		for i := range 10 * way {
			logits = append(logits, float32(1000*e+i))
		}
	}
	for _, test := range []struct {
		opt               Options
		episodes, queries int
		second            float32 // the first logit of the second episode
	}{
		{Options{}, 3, 10, 1000},
		{Options{Episodes: 2}, 2, 10, 1000},
		{Options{Episodes: 9, Queries: 99}, 3, 10, 1000},
		{Options{Episodes: 2, Queries: 5}, 2, 5, 1000},
	} {
		bounded, wanted := test.opt.bound(episodes, logits)
		if len(bounded) != test.episodes || len(wanted) != test.episodes*test.queries*way {
			t.Errorf("%+v: %d episodes, %d logits", test.opt, len(bounded), len(wanted))
			continue
		}
		for _, e := range bounded {
			if len(e.Query) != test.queries {
				t.Errorf("%+v: %d queries, want %d", test.opt, len(e.Query), test.queries)
			}
		}
		if got := wanted[test.queries*way]; got != test.second {
			t.Errorf("%+v: the second episode begins with logit %v, want %v", test.opt, got, test.second)
		}
	}
	if len(episodes[0].Query) != 10 {
		t.Error("the list itself was cut")
	}
}

// The nodes made of a map that was kept are those that the embedder makes itself.
func TestNodesOfAKeptMap(t *testing.T) {
	network := require.Value(backbone.New(resnettest.Weights([]int{8, 8, 16, 16}, 32, 1), backbone.Options{}))(t)
	pre := imaging.Preprocess{Size: 48, Mean: [3]float32{.5, .5, .5}, Std: [3]float32{.25, .25, .25}}
	picture := &imaging.Image{Width: 50, Height: 60, Pix: make([]byte, 3*50*60)}
	for i := range picture.Pix {
		picture.Pix[i] = byte(i * i >> 5)
	}
	raw := require.Value(embed.FCN{}.Embed(network, pre, picture))(t)
	for _, fcn := range []embed.FCN{{}, {Pyramid: []int{2, 1}}} {
		want := require.Value(fcn.Embed(network, pre, picture))(t)
		if got := nodes(fcn, raw[0], pre); !reflect.DeepEqual(got, want[0]) {
			t.Errorf("%+v: %d nodes of %d channels differ from the embedder's %d of %d", fcn, got.N, got.C, want[0].N, want[0].C)
		}
	}
}
