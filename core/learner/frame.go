package learner

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
)

// frame is reusable memory for the pictures of a live loop.
type frame struct{ img imaging.Image }

// read returns the picture as RGB pixels: it decodes a file, and packs pixels into
// memory that the next call reuses.
//
// A file that cannot be decoded, and pixels whose number does not fit the size, are
// errors.
func (f *frame) read(p Picture) (*imaging.Image, error) {
	if p.Width == 0 && p.Height == 0 {
		return imaging.Decode(p.Data)
	}
	const limit = 1 << 14 // a side; keeps the product below from overflowing
	if p.Width < 1 || p.Height < 1 || p.Width > limit || p.Height > limit {
		return nil, fmt.Errorf("a picture of %d×%d pixels: want sides of 1 to %d", p.Width, p.Height, limit)
	}
	area := p.Width * p.Height
	switch len(p.Data) {
	case area * 3:
		f.img.Pix = append(f.img.Pix[:0], p.Data...)
	case area * 4:
		f.img.Pix = slices.Grow(f.img.Pix[:0], area*3)[:area*3]
		imaging.FlattenRGBA(f.img.Pix, p.Data)
	default:
		return nil, fmt.Errorf("%d bytes for %d×%d pixels: want %d (RGB) or %d (RGBA)", len(p.Data), p.Width, p.Height, area*3, area*4)
	}
	f.img.Width, f.img.Height = p.Width, p.Height
	return &f.img, nil
}
