package imaging

import (
	"bufio"
	"bytes"
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// pattern returns the picture that testdata/generate.py resizes: a ramp, a product and noise, in
// 32-bit integers.
func pattern(width, height int) *Image {
	m := newImage(width, height)
	for i := range m.Pix {
		x, y, c := uint32(i/3%width), uint32(i/3/width), uint32(i%3)
		v := x*2654435761 + y*2246822519 + c*3266489917
		noise := (v ^ v>>15) & 63
		m.Pix[i] = uint8(x*3 + y*5 + c*70 + x*y>>5 + noise)
	}
	return m
}

func TestResizeEqualsPillow(t *testing.T) {
	lines := bufio.NewScanner(bytes.NewReader(readFile(t, "testdata/resize.txt")))
	for lines.Scan() {
		var w, h, toW, toH int
		var want string
		require.Value(fmt.Sscan(lines.Text(), &w, &h, &toW, &toH, &want))(t)
		t.Run(fmt.Sprintf("%dx%d to %dx%d", w, h, toW, toH), func(t *testing.T) {
			src := pattern(w, h)
			before := checksum(src)
			if got := checksum(Resize(src, toW, toH)); got != want {
				t.Errorf("checksum %s, Pillow's pixels have %s", got, want)
			}
			if checksum(src) != before {
				t.Error("the source changed")
			}
		})
	}
}

func TestResampleOfPartsEqualsPartsOfResize(t *testing.T) {
	src := pattern(71, 53)
	part := Crop(src, 9, 4, 40, 31)
	for _, to := range []struct{ width, height int }{{40, 31}, {23, 31}, {40, 50}, {13, 12}, {90, 77}} {
		full := Resize(part, to.width, to.height)
		got := newImage(to.width-7, to.height-5)
		resample(got, view{src, 9, 4, 40, 31}, to.width, to.height, 3, 4)
		compare(t, got, Crop(full, 3, 4, got.Width, got.Height))
	}
}

func TestResizePanicsOnEmptyResult(t *testing.T) {
	for _, side := range []int{0, -3} {
		mustPanic(t, func() { Resize(pattern(4, 4), side, 3) })
		mustPanic(t, func() { Resize(pattern(4, 4), 3, side) })
	}
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}
