package backbone_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
)

// A network in whole numbers, written and read, makes nearly the same features, and
// its file has a quarter of the size.
func TestWhole(t *testing.T) {
	widths := []int{16, 32, 32, 48}
	f := networktest.ResNet12(widths, 48, 1)
	want := features(t, f)
	if err := f.Encode(new(bytes.Buffer), weights.I8); err == nil || !strings.Contains(err.Error(), "not an integer") {
		t.Errorf("fractions as bytes: error %v", err)
	}
	whole := require.Value(backbone.WithIntegerFilters(f, backbone.MaxBits))(t)
	var file, plain bytes.Buffer
	require.NoError(t, whole.Encode(&file, weights.I8))
	require.NoError(t, f.Encode(&plain, weights.F32))
	if float64(file.Len()) > 0.35*float64(plain.Len()) {
		t.Errorf("%d bytes, as float32 %d", file.Len(), plain.Len())
	}
	read := require.Value(weights.Decode("whole", file.Bytes()))(t)
	if cosine, length := alike(want, features(t, read)); cosine < 0.9995 || !(math.Abs(length-1) <= 0.01) {
		t.Errorf("features have the cosine %v with those of the original, and %v of their length", cosine, length)
	}
	again := require.Value(backbone.WithIntegerFilters(read, backbone.MaxBits))(t)
	for name, tensor := range read.Tensors {
		for i, v := range tensor.Data {
			if w := again.Tensors[name].Data[i]; !(math.Abs(float64(w-v)) <= 1e-5*math.Abs(float64(v))) {
				t.Fatalf("%s: value %d becomes %v from %v: what is whole should stay", name, i, w, v)
			}
		}
	}
	f.Meta.Arch = "vgg"
	if _, err := backbone.WithIntegerFilters(f, backbone.MaxBits); err == nil {
		t.Error("another architecture is accepted")
	}
}

// Filters of fewer bits make nearly the same features, in fewer bytes once they are
// compressed; only most of the weights are coarse, and a second time changes nothing.
func TestWholeOfFewBits(t *testing.T) {
	f := networktest.ResNet12([]int{8, 16, 32, 64}, 48, 1)
	want := features(t, f)
	size := math.Inf(1)
	for _, c := range []struct {
		bits    int
		largest float32
		cosine  float64
	}{{8, 127, 0.9999}, {6, 31, 0.999}, {5, 15, 0.997}, {4, 7, 0.985}, {3, 3, 0.95}} {
		whole := require.Value(backbone.WithIntegerFilters(f, c.bits))(t)
		for name, tensor := range whole.Tensors {
			if len(tensor.Shape) != 4 {
				continue
			}
			want := float32(127)
			if strings.Contains(name, "conv") && (strings.Contains(name, "layer3") || strings.Contains(name, "layer4")) {
				want = c.largest
			}
			if low, high := slices.Min(tensor.Data), slices.Max(tensor.Data); max(-low, high) != want {
				t.Errorf("%d bits: %s from %v to %v, want ±%v", c.bits, name, low, high, want)
			}
		}
		cosine, length := alike(want, features(t, whole))
		if cosine < c.cosine || !(math.Abs(length-1) <= 0.05) { // rounding adds noise
			t.Errorf("%d bits: features have the cosine %v with those of the original, and %v of their length", c.bits, cosine, length)
		}
		var file, zipped bytes.Buffer
		require.NoError(t, whole.Encode(&file, weights.I8))
		z := gzip.NewWriter(&zipped)
		require.Value(z.Write(file.Bytes()))(t)
		require.NoError(t, z.Close())
		if got := float64(zipped.Len()); got >= 0.95*size {
			t.Errorf("%d bits: %v bytes as gzip, with more bits %v", c.bits, got, size)
		} else {
			size = got
		}
		again := require.Value(backbone.WithIntegerFilters(whole, c.bits))(t)
		for name, tensor := range whole.Tensors {
			if len(tensor.Shape) == 4 && !slices.Equal(tensor.Data, again.Tensors[name].Data) {
				t.Errorf("%d bits: %s changes when it is rounded again", c.bits, name)
			}
		}
	}
	for _, bits := range []int{2, 9} {
		if _, err := backbone.WithIntegerFilters(f, bits); err == nil || !strings.Contains(err.Error(), "want 3 to 8") {
			t.Errorf("%d bits: error %v", bits, err)
		}
	}
}

// A filter that training has almost erased does not make the file invalid.
func TestWholeOfErasedFilter(t *testing.T) {
	for _, size := range []float32{1e-13, 1e-25, 0} {
		f := networktest.ResNet12([]int{8, 8, 8, 8}, 16, 1)
		filter := f.Tensors["encoder.layer1.0.conv2.weight"].Row(3)
		for i := range filter {
			filter[i] *= size
		}
		want := features(t, f)
		whole := require.Value(backbone.WithIntegerFilters(f, backbone.MaxBits))(t)
		require.NoError(t, whole.Encode(new(bytes.Buffer), weights.I8))
		if cosine, length := alike(want, features(t, whole)); cosine < 0.999 || !(math.Abs(length-1) <= 0.02) {
			t.Errorf("weights of %g: features have the cosine %v with those of the original, and %v of their length", size, cosine, length)
		}
	}
}

// features returns the features of two images of noise.
func features(t *testing.T, f *weights.File) []float32 {
	t.Helper()
	n := require.Value(backbone.New(f, backbone.Options{}))(t)
	out := require.Value(n.Forward(networktest.Pictures(2, 48, 1)))(t)
	return out.Data
}

// alike returns the cosine of two vectors, and the second's length in lengths of the first.
func alike(a, b []float32) (cosine, length float64) {
	var ab, aa, bb float64
	for i, v := range a {
		x, y := float64(v), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb), math.Sqrt(bb / aa)
}
