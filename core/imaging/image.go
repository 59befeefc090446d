// Package imaging turns files and camera frames into the pixels that a network
// takes: decoding, orientation, resizing exactly as Pillow does, cropping and
// normalisation.
//
// "Exactly" means to the bit. Accuracies were measured and weights trained on
// pixels that came through libjpeg and Pillow, and logits must agree with theirs;
// where those two round, this package rounds alike. The meaning of a picture
// (classes, regions, embeddings) and the reading of files belong to other packages:
// everything here works on bytes in memory.
package imaging

import (
	"fmt"

	"github.com/deepemd/deepemd/core/imaging/internal/colorspace"
)

// Image is an 8-bit RGB picture.
type Image struct {
	Width, Height int
	Pix           []uint8 // [Height, Width, 3], row-major, no padding
}

// newImage returns a black picture.
func newImage(width, height int) *Image {
	return &Image{Width: width, Height: height, Pix: make([]uint8, 3*width*height)}
}

// row returns row y, [Width, 3].
func (m *Image) row(y int) []uint8 { return m.Pix[3*m.Width*y:][:3*m.Width] }

// FromRGBA copies a frame of a canvas or a camera, over white where it is transparent: pix
// is [height, width, 4], red, green, blue and alpha, not multiplied by it.
//
// # Errors
//
// A side that is not positive, more than MaxPixels, and a pix whose length does not
// fit the sides.
func FromRGBA(pix []byte, width, height int) (*Image, error) {
	if err := checkSize(width, height, MaxPixels); err != nil {
		return nil, err
	}
	if len(pix) != 4*width*height {
		return nil, fmt.Errorf("frame of %d×%d pixels has %d bytes, want %d: is it RGBA?",
			width, height, len(pix), 4*width*height)
	}
	m := newImage(width, height)
	FlattenRGBA(m.Pix, pix)
	return m, nil
}

// FlattenRGBA writes pixels, [n, 4], as RGB over white to dst, [n, 3].
func FlattenRGBA(dst, pix []uint8) {
	splitAlpha(dst, pix)
	colorspace.OverWhite(dst, pix[min(3, len(pix)):], 4)
}

// splitAlpha writes the colors of RGBA quadruples as RGB triples.
func splitAlpha(dst, src []uint8) {
	for len(src) >= 4 && len(dst) >= 3 {
		dst[0], dst[1], dst[2] = src[0], src[1], src[2]
		dst, src = dst[3:], src[4:]
	}
}

// Crop copies the part of src whose top left corner is (x, y). It panics when
// that part is empty or does not lie within src.
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
