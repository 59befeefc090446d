package vit_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/vit"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// kept is what reading a file of bytes gives.
func kept(t *testing.T, f *weights.File) *weights.File {
	t.Helper()
	var file bytes.Buffer
	if err := f.Quantized().Encode(&file, weights.F32); err != nil {
		t.Fatal(err)
	}
	back, err := weights.Decode(f.Source, file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// TestBytesAreNear: layers of bytes give nearly the tokens of floats, the weights' rounding
// and the activations' together.
func TestBytesAreNear(t *testing.T) {
	f := networktest.TransformerS()
	batch := resnettest.Pictures(2, 112, 3)
	run := func(f *weights.File) []float32 {
		n, err := vit.New(f, nn.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		maps, err := n.Forward(batch)
		if err != nil {
			t.Fatal(err)
		}
		return append([]float32(nil), maps.Data...)
	}
	off := func(got, want []float32) float64 {
		var difference, size float64
		for i, v := range want {
			difference += math.Pow(float64(got[i]-v), 2)
			size += float64(v) * float64(v)
		}
		return math.Sqrt(difference / size)
	}
	small, want := kept(t, f), run(f)
	rounded, all := off(run(small.Widened()), want), off(run(small), want)
	t.Logf("off by %.4f of the tokens' size, %.4f by the weights' rounding alone", all, rounded)
	if all > 0.05 || rounded > 0.02 || all == rounded {
		t.Errorf("off by %.4f of the tokens' size, %.4f by the weights' rounding alone", all, rounded)
	}
}

// TestBatchesOfBytes: the tokens depend neither on threads nor on kernels nor on the
// pictures beside them.
func TestBatchesOfBytes(t *testing.T) {
	small := kept(t, networktest.Transformer())
	networktest.BatchesOfBytes(t, 70, func(opt nn.Options) (*vit.Network, error) { return vit.New(small, opt) })
}
