package backbone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

var narrow = []int{16, 32, 16, 48}

func build(t testing.TB, threads int) *Network {
	t.Helper()
	b := require.Value(Plan{Widths: narrow}.Build(1, Options{Threads: threads}))(t)
	return b
}

// TestGradientIsTheSlope steps along the gradient: the loss must change by the
// gradient's square times the step, for all weights together.
func TestGradientIsTheSlope(t *testing.T) {
	b := build(t, 2)
	r := rand.New(rand.NewPCG(1, 1))
	batch := resnettest.Pictures(6, 33, 3)
	upstream := make([]float32, 6*2*2*48)
	for i := range upstream {
		upstream[i] = float32(r.NormFloat64())
	}
	loss := func() float64 {
		sum := 0.0
		for i, v := range b.Forward(batch, nil).Tensor().Data {
			sum += float64(v) * float64(upstream[i])
		}
		return sum
	}
	loss()
	b.Backward(upstream)
	isTheSlope(t, b.Params(), loss, 1e-3)
}

func changed(f func()) {
	if f != nil {
		f()
	}
}

// TestExportRunsInInference compares an exported network in inference, with a batch's
// statistics as the running ones, with the same network in training. It trains nothing.
func TestExportRunsInInference(t *testing.T) {
	for _, grid := range []int{0, 2} {
		testExport(t, Plan{Widths: narrow, Grid: grid})
	}
}

func testExport(t *testing.T, p Plan) {
	t.Helper()
	b := require.Value(p.Build(1, Options{Threads: 1}))(t)
	for _, bn := range b.Norms() {
		bn.Momentum = 1
	}
	batch := resnettest.Pictures(8, 64, 5)
	want := b.Forward(batch, nil).Tensor()
	if p.Grid > 0 && want.Shape[1] != p.Grid {
		t.Fatalf("a map of %v, want %d positions across", want.Shape, p.Grid)
	}
	net := require.Value(core.New(b.Export(inference), core.Options{}))(t)
	got := require.Value(net.Forward(batch))(t)
	for i, w := range want.Data {
		// Running variances are unbiased, the batch's own is not: 1/(N·H·W) apart.
		if math.Abs(float64(got.Data[i]-w)) > 0.03 {
			t.Fatalf("feature %d is %g in inference, %g in training", i, got.Data[i], w)
		}
	}

	other := require.Value(p.Build(99, Options{}))(t)
	require.NoError(t, other.Import(b.Export(inference)))
	for i, v := range other.Forward(batch, nil).Tensor().Data {
		if v != want.Data[i] {
			t.Fatalf("feature %d is %g after export and import, %g before", i, v, want.Data[i])
		}
	}
}

var inference = weights.Meta{InputSize: 64, Std: [3]float32{1, 1, 1}}

func TestStepsDoNotDependOnThreads(t *testing.T) {
	gradients := func(threads int) []float32 {
		b := build(t, threads)
		m := b.Forward(resnettest.Pictures(5, 40, 6), nil).Tensor()
		b.Backward(m.Data)
		var all []float32
		for _, p := range b.Params() {
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

func BenchmarkStep(b *testing.B) {
	kernels := map[string]*bfloat16.Kernels{"float32": nil}
	if fast, ok := bfloat16.Fast(); ok {
		kernels["bfloat16"] = fast
	}
	small := []int{32, 80, 160, 320}
	for _, c := range []struct {
		widths      []int
		size, batch int
	}{{resnettest.Full, 32, 64}, {resnettest.Full, 84, 16}, {small, 64, 64}, {small, 32, 128}} {
		for precision, k := range kernels {
			b.Run(fmt.Sprintf("width=%d/px=%d/batch=%d/%s", c.widths[3], c.size, c.batch, precision), func(b *testing.B) {
				net := require.Value(Plan{Widths: c.widths}.Build(1, Options{Mixed: k}))(b)
				batch := resnettest.Pictures(c.batch, c.size, 1)
				for b.Loop() {
					m := net.Forward(batch, nil)
					net.Backward(m.Tensor().Data)
					for _, p := range net.Params() {
						changed(p.Changed)
					}
				}
				b.ReportMetric(float64(c.batch)*float64(b.N)/b.Elapsed().Seconds(), "img/s")
			})
		}
	}
}
