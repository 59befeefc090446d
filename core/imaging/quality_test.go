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

func stripes(x, _ float64) float64 { return 0.5 + 0.4*float64(1-2*(int(20*x)%2)) }

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
		{"soft stripes", func(x, _ float64) float64 { return 0.5 + 0.4*math.Sin(30*x) }, Blurred},
		{"a sharp thing on a plain background", func(x, y float64) float64 {
			if x > 0.3 && x < 0.6 && y > 0.2 && y < 0.8 {
				return 0.2 + 0.3*x
			}
			return 0.9
		}, Good},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Measure(picture(120, 100, c.light))
			if got := m.Problem(); got != c.want {
				t.Errorf("problem %d, want %d (%.2f…%.2f light, sharpness %.3f)", got, c.want, m.Darkest, m.Lightest, m.Sharpness)
			}
		})
	}
}

func TestSharpnessIsTheSteepestStepWhateverTheContrast(t *testing.T) {
	for _, c := range []struct {
		name  string
		light func(x, y float64) float64
		want  float64
	}{
		{"bars", func(x, _ float64) float64 { return float64(int(x*measured+0.5) / 4 % 2) }, 1},
		{"bars in the last tile", func(x, y float64) float64 {
			if min(x, y) < 1-float64(tile)/measured {
				return 0
			}
			return float64(int(x*measured+0.5) / 4 % 2)
		}, 1},
		{"a slope", func(x, _ float64) float64 { return x }, 1.0 / (tile - 1)},
		{"one color", func(_, _ float64) float64 { return 0.5 }, 0},
	} {
		for _, contrast := range []float64{0.95, 1} {
			dim := func(x, y float64) float64 { return contrast * c.light(x, y) }
			if got := Measure(picture(measured, measured, dim)).Sharpness; !(math.Abs(got-c.want) <= 0.05) {
				t.Errorf("%s: sharpness %v at contrast %v, want %v", c.name, got, contrast, c.want)
			}
		}
	}
}

func TestAlike(t *testing.T) {
	a := Measure(picture(100, 100, stripes))
	dimmer := Measure(picture(100, 100, func(x, y float64) float64 { return 0.7 * stripes(x, y) }))
	other := Measure(picture(100, 100, func(x, y float64) float64 { return stripes(y, x) }))
	gray := Measure(picture(9, 9, func(_, _ float64) float64 { return 0.4 }))
	if got := a.Correlation(dimmer); got < 0.999 {
		t.Errorf("the same in dim light: %v", got)
	}
	if got := a.Correlation(other); !(math.Abs(got) <= 0.2) {
		t.Errorf("stripes across stripes: %v", got)
	}
	if a.Correlation(gray) != 0 || gray.Correlation(gray) != 1 {
		t.Errorf("one color: %v to stripes, %v to itself", a.Correlation(gray), gray.Correlation(gray))
	}
}

func TestContrastIsTheStandardDeviation(t *testing.T) {
	for _, c := range []struct {
		img  *Image
		want float64
	}{
		{picture(30, 20, func(_, _ float64) float64 { return 0.7 }), 0},
		{&Image{Width: 2, Height: 1, Pix: []uint8{9, 51, 0, 9, 102, 255}}, 0.5},
		{&Image{Width: 2, Height: 1, Pix: []uint8{9, 51, 0, 9, 102, 0}}, 0.1},
	} {
		if got := c.img.Contrast(); !(math.Abs(got-c.want) <= 1e-6) {
			t.Errorf("contrast %v, want %v", got, c.want)
		}
	}
}
