package imaging

import (
	"math"
	"testing"
)

// picture returns a picture with the lightness light(x, y) for x, y in 0…1.
func picture(width, height int, light func(x, y float64) float64) *Image {
	img := &Image{Width: width, Height: height}
	for y := range height {
		for x := range width {
			v := uint8(255 * min(max(light(float64(x)/float64(width), float64(y)/float64(height)), 0), 1))
			img.Pix = append(img.Pix, v, v, v)
		}
	}
	return img
}

func stripes(x, _ float64) float64 { return 0.5 + 0.4*math.Sin(60*x) }

func TestProblem(t *testing.T) {
	for _, c := range []struct {
		name  string
		light func(x, y float64) float64
		want  Problem
	}{
		{"stripes", stripes, Good},
		{"black", func(_, _ float64) float64 { return 0 }, Dark},
		{"stripes in the dark", func(x, y float64) float64 { return 0.2 * stripes(x, y) }, Dark},
		{"a lamp in the dark", func(x, y float64) float64 {
			if x < 0.3 {
				return stripes(y, x)
			}
			return 0.02
		}, Good},
		{"white", func(_, _ float64) float64 { return 1 }, Bright},
		{"a slope", func(x, _ float64) float64 { return x }, Blurred},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Measure(picture(120, 100, c.light))
			if got := m.Problem(); got != c.want {
				t.Errorf("problem %d, want %d (%.2f…%.2f light, sharpness %.3f)", got, c.want, m.Darkest, m.Lightest, m.Sharpness)
			}
		})
	}
}

func TestSharpnessIsThatOfTheLaplacianWhateverTheContrast(t *testing.T) {
	// For a chessboard of single pixels the Laplacian is 8 times the deviation from the mean.
	board := func(contrast float64) *Image {
		return picture(measured, measured, func(x, y float64) float64 {
			return 0.5 + contrast*float64(1-2*((int(x*measured+0.5)+int(y*measured+0.5))%2))
		})
	}
	for _, contrast := range []float64{0.1, 0.4} {
		if got := Measure(board(contrast)).Sharpness; math.Abs(got-64) > 0.5 {
			t.Errorf("sharpness %v at contrast %v, want 64", got, contrast)
		}
	}
	if got := Measure(picture(10, 10, func(_, _ float64) float64 { return 0.5 })).Sharpness; got != 0 {
		t.Errorf("sharpness %v of one colour, want 0", got)
	}
}

func TestAlike(t *testing.T) {
	a := Measure(picture(100, 100, stripes))
	dimmer := Measure(picture(100, 100, func(x, y float64) float64 { return 0.7 * stripes(x, y) }))
	other := Measure(picture(100, 100, func(x, y float64) float64 { return stripes(y, x) }))
	grey := Measure(picture(9, 9, func(_, _ float64) float64 { return 0.4 }))
	if got := a.Alike(dimmer); got < 0.999 {
		t.Errorf("the same in dim light: %v", got)
	}
	if got := a.Alike(other); math.Abs(got) > 0.2 {
		t.Errorf("stripes across stripes: %v", got)
	}
	if a.Alike(grey) != 0 || grey.Alike(grey) != 1 {
		t.Errorf("one colour: %v to stripes, %v to itself", a.Alike(grey), grey.Alike(grey))
	}
}
