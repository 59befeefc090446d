package backbone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/layertest"
)

var narrow = []int{16, 32, 16, 48}

func build(t testing.TB, threads int) *Network {
	t.Helper()
	b := require.Value(Plan{Widths: narrow}.Build(1, Options{Threads: threads}))(t)
	return b
}

// TestGradientIsTheSlope steps along the gradient: the loss must change by the
// gradient's square times the step, for all weights together. The last map is kept, or averaged.
func TestGradientIsTheSlope(t *testing.T) {
	for grid, side := range map[int]int{0: 33, 2: 49} {
		b := require.Value(Plan{Widths: narrow, Grid: grid}.Build(1, Options{Threads: 2}))(t)
		r := rand.New(rand.NewPCG(1, 1))
		batch := networktest.Pictures(6, side, 3)
		upstream := make([]float32, 6*2*2*48)
		for i := range upstream {
			upstream[i] = float32(r.NormFloat64())
		}
		loss := func() float64 {
			sum := 0.0
			for i, v := range b.Forward(batch).Tensor().Data {
				sum += float64(v) * float64(upstream[i])
			}
			return sum
		}
		loss()
		b.Backward(upstream)
		for _, p := range b.Params() {
			layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, loss, 1e-3)
		}
	}
}

// TestImportRefuses: a file that lacks a tensor, or has it in another size, is an error that names it.
func TestImportRefuses(t *testing.T) {
	for name, other := range map[string]*tensor.Tensor{
		"encoder.layer3.0.conv1.weight": nil, "encoder.layer2.0.bn1.running_var": nil, "encoder.layer4.0.bn3.bias": tensor.New(47),
	} {
		b := build(t, 1)
		f := b.Export(inference)
		if f.Tensors[name] = other; other == nil {
			delete(f.Tensors, name)
		}
		if err := b.Import(f); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := build(t, 1)
	f := b.Export(inference)
	f.Tensors["encoder.layer2.0.bn1.running_var"].Data[3] = -1
	if err := b.Import(f); err == nil || !strings.Contains(err.Error(), "bn1.running_var has the negative variance -1 in channel 3") {
		t.Errorf("a negative variance: %v", err)
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
	batch := networktest.Pictures(8, 64, 5)
	want := b.Forward(batch).Tensor()
	if p.Grid > 0 && want.Shape[1] != p.Grid {
		t.Fatalf("a map of %v, want %d positions across", want.Shape, p.Grid)
	}
	net := require.Value(core.New(b.Export(inference), core.Options{}))(t)
	got := require.Value(net.Forward(batch))(t)
	for i, w := range want.Data {
		// Running variances are unbiased, the batch's own is not: 1/(N·H·W) apart.
		if !(math.Abs(float64(got.Data[i]-w)) <= 0.03) {
			t.Fatalf("feature %d is %g in inference, %g in training", i, got.Data[i], w)
		}
	}

	other := require.Value(p.Build(99, Options{}))(t)
	require.NoError(t, other.Import(b.Export(inference)))
	for i, v := range other.Forward(batch).Tensor().Data {
		if v != want.Data[i] {
			t.Fatalf("feature %d is %g after export and import, %g before", i, v, want.Data[i])
		}
	}
}

var inference = weights.Meta{InputSize: 64, Std: [3]float32{1, 1, 1}}

func TestStepsDoNotDependOnThreads(t *testing.T) {
	gradients := func(threads int) []float32 {
		b := build(t, threads)
		m := b.Forward(networktest.Pictures(5, 40, 6)).Tensor()
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
	}{{networktest.Full, 32, 64}, {networktest.Full, 84, 16}, {small, 64, 64}, {small, 32, 128}} {
		for precision, k := range kernels {
			b.Run(fmt.Sprintf("width=%d/px=%d/batch=%d/%s", c.widths[3], c.size, c.batch, precision), func(b *testing.B) {
				net := require.Value(Plan{Widths: c.widths}.Build(1, options(0, k)))(b)
				batch := networktest.Pictures(c.batch, c.size, 1)
				for b.Loop() {
					m := net.Forward(batch)
					net.Backward(m.Tensor().Data)
					for _, p := range net.Params() {
						p.Changed()
					}
				}
				b.ReportMetric(float64(c.batch)*float64(b.N)/b.Elapsed().Seconds(), "img/s")
			})
		}
	}
}

// sameGradient is the least cosine of a gradient in bfloat16 and in float32. Rounding alone gives 0.79 to 1,
// depending on the processor; without the blend, most are below 0.6.
const sameGradient = 0.7

// TestMix: in every layer the gradients of a blended batch are the slopes of the loss, a share
// of one blends nothing, and mixed precision blends alike.
func TestMix(t *testing.T) {
	const pictures, side = 5, 33
	r := rand.New(rand.NewPCG(2, 1))
	batch := networktest.Pictures(pictures, side, 3)
	upstream := make([]float32, pictures*2*2*48)
	for i := range upstream {
		upstream[i] = float32(r.NormFloat64())
	}
	before := slices.Clone(batch.Data)
	for at := range MixLayers {
		mix := &Mix{At: at, Share: 0.7, Partners: []int{2, 0, 1, 3, 4}}
		b := build(t, 2)
		loss := func() (sum float64) {
			for i, v := range b.ForwardMixed(batch, mix).Tensor().Data {
				sum += float64(v) * float64(upstream[i])
			}
			return sum
		}
		blended := loss()
		b.Backward(upstream)
		for _, p := range b.Params() {
			layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, loss, 1e-3)
		}
		plain := 0.0
		for i, v := range b.Forward(batch).Tensor().Data {
			plain += float64(v) * float64(upstream[i])
		}
		mix.Share = 1
		if whole := loss(); whole != plain || blended == plain {
			t.Errorf("layer %d: blended %g, with a share of one %g, plain %g", at, blended, whole, plain)
		}
		mix.Share = 0.7
		want := slices.Clone(b.ForwardMixed(batch, mix).Tensor().Data)
		b.Backward(upstream)
		for _, k := range mixed() {
			if at != 2 && k.Name() == bfloat16.Generic().Name() {
				continue // it is slow
			}
			half := require.Value(Plan{Widths: narrow}.Build(1, options(2, k)))(t)
			got := half.ForwardMixed(batch, mix).Tensor().Data
			half.Backward(upstream)
			if c := cosine(got, want); c < 0.9995 {
				t.Errorf("%s, layer %d: cosine of the features is %.5f", k.Name(), at, c)
			}
			for i, p := range b.Params() {
				if c := cosine(half.Params()[i].Grad, p.Grad); c < sameGradient {
					t.Errorf("%s, layer %d: %s: cosine of the gradients is %.5f", k.Name(), at, p.Name, c)
				}
			}
		}
	}
	if !slices.Equal(batch.Data, before) {
		t.Error("the pictures themselves were changed")
	}
}

// options returns a network's options in mixed precision, or in float32 if k is nil.
func options(threads int, k *bfloat16.Kernels) Options {
	if k == nil {
		return Options{Threads: threads}
	}
	return Options{Threads: threads, Device: device.NewBFloat16(k, threads)}
}

// mixed lists the kernels of mixed precision that can run here.
func mixed() []*bfloat16.Kernels {
	kernels := []*bfloat16.Kernels{bfloat16.Generic()}
	if fast, ok := bfloat16.Fast(); ok {
		kernels = append(kernels, fast)
	}
	return kernels
}

// TestMixedPrecisionAgreesWithFloat32 compares features and the gradients of all weights: they may
// differ by the rounding of a deep network to eight bits, and their directions must agree.
func TestMixedPrecisionAgreesWithFloat32(t *testing.T) {
	widths := []int{16, 48, 32, 80}
	run := func(k *bfloat16.Kernels, pictures, size int) (*Network, *nn.Map) {
		b := require.Value(Plan{Widths: widths}.Build(1, options(2, k)))(t)
		m := b.Forward(networktest.Pictures(pictures, size, 3))
		upstream := make([]float32, pictures*(size/16)*(size/16)*80)
		for i := range upstream {
			upstream[i] = float32(math.Sin(float64(i)))
		}
		b.Backward(upstream)
		return b, m
	}
	for _, k := range mixed() {
		pictures, size := 37, 39 // odd maps, and a group that is not full
		if k.Name() == bfloat16.Generic().Name() {
			pictures, size = 5, 23 // it is slow
		}
		exact, features := run(nil, pictures, size)
		b, got := run(k, pictures, size)
		if c := cosine(got.Tensor().Data, features.Tensor().Data); c < 0.9995 {
			t.Errorf("%s: cosine of the features is %.5f", k.Name(), c)
		}
		for i, p := range exact.Params() {
			// The direction of a gradient suffers most if many pixels cancel out: the worst weights
			// in eight batches have 0.86 to 0.93.
			if c := cosine(b.Params()[i].Grad, p.Grad); c < sameGradient {
				t.Errorf("%s: %s: cosine of the gradients is %.5f", k.Name(), p.Name, c)
			}
		}
		for i, bn := range exact.Norms() {
			want, _ := bn.Running()
			mean, _ := b.Norms()[i].Running()
			if c := cosine(mean.Data, want.Data); c < 0.999 {
				t.Errorf("%s: cosine of the running means of %s is %.5f", k.Name(), bn.Name(), c)
			}
		}
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, v := range a {
		ab += float64(v) * float64(b[i])
		aa += float64(v) * float64(v)
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestMixedStepsDoNotDependOnThreads(t *testing.T) {
	for _, k := range mixed() {
		gradients := func(threads int) (all []float32) {
			b := require.Value(Plan{Widths: narrow}.Build(1, options(threads, k)))(t)
			m := b.Forward(networktest.Pictures(5, 40, 6))
			b.Backward(m.Tensor().Data)
			for _, p := range b.Params() {
				all = append(all, p.Grad...)
			}
			return all
		}
		want := gradients(1)
		for i, v := range gradients(3) {
			if v != want[i] {
				t.Fatalf("%s: gradient %d is %g on three threads, %g on one", k.Name(), i, v, want[i])
			}
		}
	}
}
