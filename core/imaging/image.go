// Package imaging converts files and camera frames to the pixels of a network's input: decoding,
// orientation, resizing like Pillow, cropping and normalization.
//
// All results are exact to the bit, with the rounding of libjpeg and Pillow. Weights were trained
// and accuracies measured on pixels from these libraries, so logits must agree with theirs. The
// package works on bytes in memory and reads no files.
package imaging

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
)

// Image is an 8-bit RGB picture.
type Image struct {
	Width, Height int
	Pix           []uint8 // [Height, Width, 3], row-major, no padding
}

func newImage(width, height int) *Image {
	return &Image{Width: width, Height: height, Pix: make([]uint8, 3*width*height)}
}

// row returns row y, [Width, 3].
func (m *Image) row(y int) []uint8 { return m.Pix[3*m.Width*y:][:3*m.Width] }

// FlattenRGBA blends RGBA pixels, [n, 4], with white and writes RGB to dst, [n, 3].
func FlattenRGBA(dst, pix []uint8) {
	splitAlpha(dst, pix)
	overWhite(dst, pix[min(3, len(pix)):], 4)
}

// splitAlpha copies the colors of RGBA pixels to RGB pixels.
func splitAlpha(dst, src []uint8) {
	for len(src) >= 4 && len(dst) >= 3 {
		dst[0], dst[1], dst[2] = src[0], src[1], src[2]
		dst, src = dst[3:], src[4:]
	}
}

// Crop copies the part of src with the top left corner (x, y). It panics if the part is empty or
// exceeds src.
func Crop(src *Image, x, y, width, height int) *Image {
	if x < 0 || y < 0 || width < 1 || height < 1 || x+width > src.Width || y+height > src.Height {
		panic(fmt.Sprintf("imaging: crop of %d×%d at (%d, %d) from a picture of %d×%d",
			width, height, x, y, src.Width, src.Height))
	}
	dst := newImage(width, height)
	for r := range height {
		copy(dst.row(r), src.row(y + r)[3*x:])
	}
	return dst
}

// FromImage returns an image of the standard library as a picture, with white behind its transparent
// parts. To teach files, pass their bytes to a learner instead: Decode applies the orientation and the
// color profile, and decodes JPEG like the training data.
func FromImage(img image.Image) *Image { return onWhite(img, img.Bounds()) }

// onWhite returns a part of an image, or more than it has, on a white background.
func onWhite(img image.Image, part image.Rectangle) *Image {
	canvas := image.NewRGBA(part)
	draw.Draw(canvas, part, image.White, image.Point{}, draw.Src)
	draw.Draw(canvas, part, img, part.Min, draw.Over)
	m := newImage(part.Dx(), part.Dy())
	splitAlpha(m.Pix, canvas.Pix)
	return m
}

// ColorModel implements image.Image.
func (m *Image) ColorModel() color.Model { return color.RGBAModel }

// Bounds implements image.Image.
func (m *Image) Bounds() image.Rectangle { return image.Rect(0, 0, m.Width, m.Height) }

// At implements image.Image.
func (m *Image) At(x, y int) color.Color {
	if !image.Pt(x, y).In(m.Bounds()) {
		return color.RGBA{}
	}
	p := m.row(y)[3*x:]
	return color.RGBA{R: p[0], G: p[1], B: p[2], A: 255}
}
