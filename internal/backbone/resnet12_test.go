package backbone_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

var narrow = []int{16, 24, 32, 48}

func build(t *testing.T, f *weights.File, opt backbone.Options) backbone.Network {
	t.Helper()
	n := require.Value(backbone.New(f, opt))(t)
	return n
}

func forward(t *testing.T, n backbone.Network, batch *tensor.Tensor) *tensor.Tensor {
	t.Helper()
	out := require.Value(n.Forward(batch))(t)
	return tensor.Of(append([]float32(nil), out.Data...), out.Shape...)
}

// worst returns the largest difference relative to the largest value.
func worst(t *testing.T, got, want *tensor.Tensor) float64 {
	t.Helper()
	got.MustShape("result", want.Shape...)
	diff, scale := 0.0, 0.0
	for i, w := range want.Data {
		diff = max(diff, math.Abs(float64(got.Data[i]-w)))
		scale = max(scale, math.Abs(float64(w)))
		if got.Data[i] != got.Data[i] {
			t.Fatalf("element %d is not a number", i)
		}
	}
	return diff / scale
}

// TestKernelsAgree holds every set of kernels and both algorithms to the direct
// convolutions of the generic set.
func TestKernelsAgree(t *testing.T) {
	sets := kernel.Available()
	generic := sets[len(sets)-1]
	for _, size := range []int{32, 50, 84} {
		f, batch := networktest.ResNet12(narrow, size, 7), networktest.Pictures(2, size, 7)
		want := forward(t, build(t, f, backbone.Options{Kernels: generic, LowMemory: true, Threads: 1}), batch)
		want.MustShape("features", 2, size/16, size/16, 48)
		for _, set := range sets {
			for _, low := range []bool{false, true} {
				got := forward(t, build(t, f, backbone.Options{Kernels: set, LowMemory: low, Threads: 2}), batch)
				if d := worst(t, got, want); !(d <= 1e-4) {
					t.Errorf("%d px, %s, low memory %v: off by %.2g of the largest value", size, set.Name(), low, d)
				}
			}
		}
	}
}

func TestPicturesDoNotDependOnTheirBatch(t *testing.T) {
	n := build(t, networktest.ResNet12(narrow, 48, 8), backbone.Options{})
	batch := networktest.Pictures(19, 48, 8)
	whole := forward(t, n, batch)
	for i := range 19 {
		one := forward(t, n, tensor.Of(batch.Row(i), 1, 48, 48, 3))
		if d := worst(t, one, tensor.Of(whole.Row(i), one.Shape...)); d != 0 {
			t.Errorf("picture %d alone differs by %g", i, d)
		}
	}
}

func TestBlockOutputsEndInForward(t *testing.T) {
	n := build(t, networktest.ResNet12(narrow, 40, 9), backbone.Options{})
	batch := networktest.Pictures(2, 40, 9)
	blocks := require.Value(n.BlockOutputs(batch))(t)
	for i, b := range blocks {
		b.MustShape(fmt.Sprint("block ", i+1), 2, 40>>(i+1), 40>>(i+1), narrow[i])
	}
	if d := worst(t, blocks[3], forward(t, n, batch)); d != 0 {
		t.Errorf("the last block differs from Forward by %g", d)
	}
}

func TestForwardDoesNotAllocateInSteadyState(t *testing.T) {
	n := build(t, networktest.ResNet12(narrow, 32, 10), backbone.Options{Threads: 1})
	batch := networktest.Pictures(1, 32, 10)
	forward(t, n, batch)
	bytes := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.Value(n.Forward(batch))(b)
		}
	}).AllocedBytesPerOp()
	// A map takes at least 16 kB; the rest are a few closures.
	if bytes > 12<<10 {
		t.Errorf("a pass allocates %d bytes: are the maps made anew?", bytes)
	}
}

func TestErrorsNameTheThing(t *testing.T) {
	edit := func(change func(f *weights.File)) *weights.File {
		f := networktest.ResNet12(narrow, 32, 11)
		f.Source = "w.safetensors"
		change(f)
		return f
	}
	const conv = "encoder.layer3.0.conv1.weight"
	cases := []struct {
		name string
		file *weights.File
		want []string
	}{
		{"architecture", edit(func(f *weights.File) { f.Meta.Arch = "vgg" }), []string{`"vgg"`, "resnet12"}},
		{"no widths", edit(func(f *weights.File) { f.Meta.Widths = nil }), []string{"widths"}},
		{"width zero", edit(func(f *weights.File) { f.Meta.Widths = []int{16, 0, 1, 1} }), []string{"block 2"}},
		{"absent", edit(func(f *weights.File) { delete(f.Tensors, conv) }), []string{conv}},
		{"shape", edit(func(f *weights.File) { f.Tensors[conv] = tensor.New(32, 16, 3, 3) }), []string{conv, "[32 16 3 3]", "[32 24 3 3]"}},
		{"variance", edit(func(f *weights.File) { f.Tensors["encoder.layer1.0.bn2.running_var"].Data[3] = -1 }), []string{"bn2.running_var", "channel 3"}},
	}
	for _, c := range cases {
		_, err := backbone.New(c.file, backbone.Options{})
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, want := range append(c.want, "w.safetensors") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not name %q", c.name, err, want)
			}
		}
	}
	n := build(t, networktest.ResNet12(narrow, 32, 12), backbone.Options{})
	for _, shape := range [][]int{{1, 15, 40, 3}, {1, 40, 40, 4}, {40, 40, 3}, {0, 40, 40, 3}} {
		if _, err := n.Forward(tensor.New(shape...)); err == nil {
			t.Errorf("a batch of shape %v gives no error", shape)
		}
	}
}

// BenchmarkForward times the full-width network and reports the GFLOP/s of the
// plain convolutions, whatever algorithm computes them.
func BenchmarkForward(b *testing.B) {
	for _, set := range kernel.Available() {
		for _, size := range []int{84, 32} {
			for _, batch := range []int{1, 16} {
				for _, threads := range []int{1, 2} {
					b.Run(fmt.Sprintf("%s/px=%d/batch=%d/threads=%d", set.Name(), size, batch, threads), func(b *testing.B) {
						net := require.Value(backbone.New(networktest.ResNet12(networktest.Full, size, 1), backbone.Options{Threads: threads, Kernels: set}))(b)
						x := networktest.Pictures(batch, size, 1)
						require.Value(net.Forward(x))(b)
						for b.Loop() {
							require.Value(net.Forward(x))(b)
						}
						flops := float64(batch) * backbone.FLOPs(networktest.Full, size, size)
						b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
					})
				}
			}
		}
	}
}
