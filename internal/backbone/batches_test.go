package backbone_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// sameBatches fails unless the map of an image is independent of the other images of its batch and
// of threads, memory and kernels: values may differ by a share of their root mean square. Images
// are side pixels wide.
func sameBatches(t *testing.T, f *weights.File, side int, share float64) {
	t.Helper()
	const pictures = 11
	batch := networktest.Pictures(pictures, side, 3)
	var want []float32
	for _, set := range kernel.Available() {
		for _, opt := range []nn.Options{{Threads: 1}, {Threads: 3}, {LowMemory: true}} {
			opt.Kernels = set
			n := require.Value(backbone.New(f, opt))(t)
			maps := require.Value(n.Forward(batch))(t)
			all := slices.Clone(maps.Data)
			if want == nil {
				want = all
			}
			size := rootMeanSquare(want)
			differs := func(got, want []float32) bool {
				for i, v := range got {
					if !(math.Abs(float64(v-want[i])) <= share*size) {
						return true
					}
				}
				return false
			}
			if differs(all, want) {
				t.Errorf("%s, %+v: other maps", set.Name(), opt)
			}
			for i := range pictures {
				one := require.Value(n.Forward(tensor.Of(batch.Row(i), 1, side, side, 3)))(t)
				if differs(one.Data, all[i*len(one.Data):]) {
					t.Errorf("%s, %+v: picture %d is another one alone", set.Name(), opt, i)
				}
			}
		}
	}
}

func rootMeanSquare(values []float32) float64 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(values)))
}

// refuses fails unless every shape of a batch is refused.
func refuses(t *testing.T, n backbone.Network, shapes ...[]int) {
	t.Helper()
	for _, shape := range shapes {
		if _, err := n.Forward(tensor.New(shape...)); err == nil {
			t.Errorf("no error about pictures of shape %v", shape)
		}
	}
}

// ofBytes writes the network's weights as bytes and reads them back.
func ofBytes(t *testing.T, f *weights.File) *weights.File {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, f.Quantized().Encode(&file, weights.W8))
	back := require.Value(weights.Decode(f.Source, file.Bytes()))(t)
	return back
}

// bytesAreNear fails unless the network with byte weights computes nearly the same maps: the error
// is at most a share of their size. It must differ from the error of rounded weights alone, since
// activations are rounded too.
func bytesAreNear(t *testing.T, f *weights.File, side int, share float64) {
	t.Helper()
	batch := networktest.Pictures(2, side, 3)
	run := func(f *weights.File) []float32 {
		t.Helper()
		n := require.Value(backbone.New(f, nn.Options{Threads: 2}))(t)
		maps := require.Value(n.Forward(batch))(t)
		return slices.Clone(maps.Data)
	}
	want := run(f)
	off := func(got []float32) float64 {
		difference := slices.Clone(got)
		for i := range difference {
			difference[i] -= want[i]
		}
		return rootMeanSquare(difference) / rootMeanSquare(want)
	}
	whole := ofBytes(t, f)
	all, rounded := off(run(whole)), off(run(whole.Widened()))
	t.Logf("off by %.4f of the maps' size, %.4f by the weights' rounding alone", all, rounded)
	if !(all <= share) || math.Abs(all-rounded) < 1e-6 {
		t.Errorf("off by %.4f of the maps' size, %.4f by the weights' rounding alone: want %g at most, and others", all, rounded, share)
	}
}
