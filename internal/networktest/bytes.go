package networktest

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// OfBytes is what reading a file gives that holds the network's weights as bytes.
func OfBytes(t *testing.T, f *weights.File) *weights.File {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, f.Quantized().Encode(&file, weights.W8))
	back := require.Value(weights.Decode(f.Source, file.Bytes()))(t)
	return back
}

// BytesAreNear fails unless the network of bytes computes nearly the maps of the one of
// floats: off by at most a share of their size, and by more than rounding the weights
// alone, since activations are rounded, too.
func BytesAreNear[N Network](t *testing.T, f *weights.File, side int, share float64, build func(*weights.File, nn.Options) (N, error)) {
	t.Helper()
	batch := resnettest.Pictures(2, side, 3)
	run := func(f *weights.File) []float32 {
		t.Helper()
		n := require.Value(build(f, nn.Options{Threads: 2}))(t)
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
	whole := OfBytes(t, f)
	all, rounded := off(run(whole)), off(run(whole.Widened()))
	t.Logf("off by %.4f of the maps' size, %.4f by the weights' rounding alone", all, rounded)
	if !(all <= share) || math.Abs(all-rounded) < 1e-6 {
		t.Errorf("off by %.4f of the maps' size, %.4f by the weights' rounding alone: want %g at most, and others", all, rounded, share)
	}
}
