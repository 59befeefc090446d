package imaging

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

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
		m := require.Value(FromRGBA(frame, 640, 480))(b)
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
