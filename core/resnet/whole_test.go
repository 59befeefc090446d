package resnet_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// A network in whole numbers, written and read, makes nearly the same features, and
// its file has a quarter of the size.
func TestWhole(t *testing.T) {
	widths := []int{16, 32, 32, 48}
	f := resnettest.Weights(widths, 48, 1)
	features := func(f *weights.File) []float32 {
		t.Helper()
		n, err := resnet.New(f, resnet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := n.Forward(resnettest.Pictures(2, 48, 1))
		if err != nil {
			t.Fatal(err)
		}
		return out.Data
	}
	want := features(f)
	if err := f.Encode(new(bytes.Buffer), weights.I8); err == nil || !strings.Contains(err.Error(), "whole number") {
		t.Errorf("fractions as bytes: error %v", err)
	}
	whole, err := resnet.Whole(f)
	if err != nil {
		t.Fatal(err)
	}
	var file, plain bytes.Buffer
	if err := whole.Encode(&file, weights.I8); err != nil {
		t.Fatal(err)
	}
	if err := f.Encode(&plain, weights.F32); err != nil {
		t.Fatal(err)
	}
	if float64(file.Len()) > 0.35*float64(plain.Len()) {
		t.Errorf("%d bytes, as float32 %d", file.Len(), plain.Len())
	}
	read, err := weights.Decode("whole", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got := features(read)
	var ab, aa, bb float64
	for i, v := range want {
		a, b := float64(v), float64(got[i])
		ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
	}
	if cosine := ab / math.Sqrt(aa*bb); cosine < 0.9995 || math.Abs(math.Sqrt(bb/aa)-1) > 0.01 {
		t.Errorf("features have the cosine %v with those of the original, and %v of their length", cosine, math.Sqrt(bb/aa))
	}
	again, err := resnet.Whole(read)
	if err != nil {
		t.Fatal(err)
	}
	for name, tensor := range read.Tensors {
		for i, v := range tensor.Data {
			if w := again.Tensors[name].Data[i]; math.Abs(float64(w-v)) > 1e-5*math.Abs(float64(v)) {
				t.Fatalf("%s: value %d becomes %v from %v: what is whole should stay", name, i, w, v)
			}
		}
	}
	f.Meta.Arch = "vgg"
	if _, err := resnet.Whole(f); err == nil {
		t.Error("another architecture is accepted")
	}
}
