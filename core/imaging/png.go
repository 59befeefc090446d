package imaging

import "github.com/deepemd/deepemd/core/imaging/internal/png"

const pngSignature = png.Signature

// openPNG opens a PNG file, whose first picture counts when it is animated.
func openPNG(data []byte) (*encoded, error) {
	d, err := png.Open(data)
	if err != nil {
		return nil, explain("PNG", err)
	}
	// To unpack is to write, whether it is kept or not.
	memory := max(d.Memory(), d.Work())
	return &encoded{d.Width, d.Height, memory, d.Exif, "PNG", d.Cut(), func() (*Image, error) {
		pix, err := d.Decode()
		if err != nil {
			return nil, explain("PNG", err)
		}
		return &Image{Width: d.Width, Height: d.Height, Pix: pix}, nil
	}}, nil
}
