package imaging

import (
	"archive/zip"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/internal/require"
)

func TestCentralRoundsHalvesToEven(t *testing.T) {
	for spare, want := range []int{0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6} { // Python's round(spare / 2)
		if got := central(spare); got != want {
			t.Errorf("central(%d) = %d, want %d", spare, got, want)
		}
	}
}

func TestPixels(t *testing.T) {
	landscape, portrait, square := pattern(101, 60), pattern(33, 50), pattern(84, 84)
	for _, c := range []struct {
		name string
		p    Preprocess
		src  *Image
		want *Image
	}{
		{"central square of a landscape", Preprocess{Size: 84}, landscape, Resize(Crop(landscape, 20, 0, 60, 60), 84, 84)},
		{"central square of a portrait", Preprocess{Size: 32}, portrait, Resize(Crop(portrait, 0, 8, 33, 33), 32, 32)},
		{"central square of the right size", Preprocess{Size: 60}, landscape, Crop(landscape, 20, 0, 60, 60)},
		{"the right size", Preprocess{Size: 84}, square, square},
		{"resize and crop", Preprocess{Size: 84, Resize: 92}, landscape, Crop(Resize(landscape, 92, 92), 4, 4, 84, 84)},
		{"resize and crop, odd margin", Preprocess{Size: 85, Resize: 92}, landscape, Crop(Resize(landscape, 92, 92), 4, 4, 85, 85)},
		{"crop alone", Preprocess{Size: 32, Resize: 84}, square, Crop(square, 26, 26, 32, 32)},
		{"resize alone", Preprocess{Size: 40, Resize: 40}, portrait, Resize(portrait, 40, 40)},
		{"margin", Preprocess{Size: 23, Resize: 20}, portrait, withMargin(Resize(portrait, 20, 20), 23, 1)},
	} {
		t.Run(c.name, func(t *testing.T) { compare(t, c.p.Pixels(c.src), c.want) })
	}
	if p := (Preprocess{Size: 84}); p.Pixels(square) != square {
		t.Error("a picture that needs nothing was copied")
	}
	mustPanic(t, func() { Preprocess{}.Pixels(square) })
	mustPanic(t, func() { Preprocess{Size: 84, Resize: -1}.Pixels(square) })
}

func withMargin(m *Image, size, at int) *Image {
	dst := newImage(size, size)
	for y := range m.Height {
		copy(dst.row(at + y)[3*at:], m.row(y))
	}
	return dst
}

func TestNormalize(t *testing.T) {
	p := Preprocess{Mean: [3]float32{0.5, 0.25, 0}, Std: [3]float32{0.5, 0.25, 2}}
	m := &Image{Width: 2, Height: 1, Pix: []uint8{255, 0, 51, 0, 255, 255}}
	got := make([]float32, 6)
	p.Normalize(got, m)
	for i, want := range []float32{1, -1, 0.1, -1, 3, 0.5} {
		if got[i] != want {
			t.Errorf("value %d is %v, want %v", i, got[i], want)
		}
	}
	mustPanic(t, func() { p.Normalize(got[:5], m) })
}

// TestReferenceInputs compares the inputs for files of the shared datasets with the reference
// implementation's.
func TestReferenceInputs(t *testing.T) {
	for _, c := range []struct {
		archive, file, arrays string
		p                     Preprocess
	}{
		{"cifar100.zip", "train/snail/brown_snail_s_000254.webp", "reference.npz", Preprocess{Size: 84, Resize: 92,
			Mean: [3]float32{0.5071, 0.4866, 0.4409}, Std: [3]float32{0.2009, 0.1984, 0.2023}}},
		{"tiny-imagenet.zip", "n01774750/189.jpg", "resnet12-s-tiny.npz", Preprocess{Size: 64,
			Mean: [3]float32{0.485, 0.456, 0.406}, Std: [3]float32{0.229, 0.224, 0.225}}},
	} {
		t.Run(strings.TrimSuffix(c.arrays, ".npz"), func(t *testing.T) {
			archive := require.Value(zip.OpenReader(require.Shared(t, "datasets/"+c.archive)))(t)
			defer archive.Close()
			arrays := require.Value(npz.Open(require.Shared(t, "reference/"+c.arrays)))(t)
			defer arrays.Close()
			var want []float32
			require.NoError(t, arrays.Read("act_input.npy", &want))
			for _, f := range archive.File {
				if f.Name != c.file {
					continue
				}
				m := require.Value(Decode(readZipped(t, f)))(t)
				got := make([]float32, 3*c.p.Size*c.p.Size)
				c.p.Normalize(got, c.p.Pixels(m))
				for i, v := range got {
					w := want[i%3*c.p.Size*c.p.Size+i/3]
					if d := math.Abs(float64(v - w)); !(d <= 1e-6) {
						t.Fatalf("value %d is %v, the reference's is %v", i, v, w)
					}
				}
				return
			}
			t.Fatalf("no %s in %s", c.file, c.archive)
		})
	}
}

func BenchmarkResize(b *testing.B) {
	for _, c := range []struct{ width, height, size int }{
		{640, 480, 84}, {1280, 720, 84}, {500, 375, 84}, {64, 64, 84}, {32, 32, 92},
	} {
		b.Run(fmt.Sprintf("%dx%d to %d", c.width, c.height, c.size), func(b *testing.B) {
			src := pattern(c.width, c.height)
			b.ReportAllocs()
			for b.Loop() {
				Resize(src, c.size, c.size)
			}
		})
	}
}

// BenchmarkFrame preprocesses a camera frame.
func BenchmarkFrame(b *testing.B) {
	frame := make([]uint8, 4*640*480)
	for i := range frame {
		frame[i] = uint8(i * 7 >> 3)
	}
	p := Preprocess{Size: 84, Mean: [3]float32{.485, .456, .406}, Std: [3]float32{.229, .224, .225}}
	input := make([]float32, 3*84*84)
	b.ReportAllocs()
	for b.Loop() {
		m := newImage(640, 480)
		FlattenRGBA(m.Pix, frame)
		p.Normalize(input, p.Pixels(m))
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"420.jpg", "progressive-420.jpg", "rgb.png", "lossless.webp", "lossy.webp"} {
		b.Run(name, func(b *testing.B) {
			data := readFile(b, "testdata/pictures/"+name)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				require.Value(Decode(data))(b)
			}
		})
	}
}
