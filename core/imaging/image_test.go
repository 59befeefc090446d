package imaging_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
)

// An image of the standard library, even a part of another, becomes a picture on white, and a picture is
// such an image again.
func TestFromImage(t *testing.T) {
	whole := image.NewNRGBA(image.Rect(0, 0, 5, 4))
	whole.Set(2, 1, color.NRGBA{R: 200, G: 100, B: 0, A: 255})
	whole.Set(3, 2, color.NRGBA{R: 255, G: 0, B: 0, A: 128})
	m := imaging.FromImage(whole.SubImage(image.Rect(2, 1, 4, 3)))
	for at, want := range map[image.Point]color.RGBA{
		{0, 0}: {200, 100, 0, 255}, {1, 0}: {255, 255, 255, 255}, {1, 1}: {255, 127, 127, 255}, {2, 0}: {}, {-1, 0}: {},
	} {
		if got := m.At(at.X, at.Y); got != want {
			t.Errorf("pixel %v is %v, want %v", at, got, want)
		}
	}
	if m.Bounds() != image.Rect(0, 0, 2, 2) || m.ColorModel().Convert(color.White) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("bounds %v", m.Bounds())
	}
	var _ image.Image = m
}
