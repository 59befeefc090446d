package imaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"iter"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// decodePNG decodes a PNG file (the first picture of an animated one) and finds
// its Exif data.
func decodePNG(data []byte, maxPixels int) (*Image, []byte, error) {
	var exif []byte
	ended := false
	for kind, body := range pngChunks(data) {
		switch kind {
		case "eXIf":
			exif = body
		case "IEND":
			ended = true
		}
	}
	failed := func(err error) (*Image, []byte, error) {
		if !ended { // package png does not always tell
			err = io.ErrUnexpectedEOF
		}
		return nil, nil, explain("PNG", err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return failed(err)
	}
	if err := checkSize(config.Width, config.Height, maxPixels); err != nil {
		return nil, nil, err
	}
	// Deflate makes at most 1032 bytes of one, and eight pixels at most fit into
	// a byte; so much is known before anything is allocated.
	if config.Width*config.Height/8/1032 > len(data) {
		return nil, nil, explain("PNG", io.ErrUnexpectedEOF)
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return failed(err)
	}
	return pngPixels(decoded), exif, nil
}

// pngPixels converts what package png returns.
func pngPixels(decoded image.Image) *Image {
	m := newImage(decoded.Bounds().Dx(), decoded.Bounds().Dy())
	switch p := decoded.(type) {
	case *image.Gray:
		greyPixels(m.Pix, p.Pix, 1)
	case *image.Gray16:
		greyPixels(m.Pix, p.Pix, 2)
	case *image.Paletted:
		palettePixels(m.Pix, p)
	case *image.RGBA: // for opaque pictures only, hence not premultiplied
		dropAlpha(m.Pix, p.Pix)
	case *image.NRGBA:
		dropAlpha(m.Pix, p.Pix)
	case *image.RGBA64:
		highBytes(m.Pix, p.Pix)
	case *image.NRGBA64:
		highBytes(m.Pix, p.Pix)
	default:
		panic(fmt.Sprintf("imaging: package png returned a %T", decoded))
	}
	return m
}

// greyPixels writes grey samples of size bytes, high byte first, as RGB.
func greyPixels(dst, src []uint8, size int) {
	for ; len(src) >= size && len(dst) >= 3; dst, src = dst[3:], src[size:] {
		dst[0], dst[1], dst[2] = src[0], src[0], src[0]
	}
}

// highBytes writes quadruples of 16-bit samples, high byte first, as RGB.
func highBytes(dst, src []uint8) {
	for ; len(src) >= 8 && len(dst) >= 3; dst, src = dst[3:], src[8:] {
		dst[0], dst[1], dst[2] = src[0], src[2], src[4]
	}
}

// palettePixels looks the pixels of p up in its palette.
func palettePixels(dst []uint8, p *image.Paletted) {
	var colours [256][3]uint8
	for i, c := range p.Palette {
		switch c := c.(type) {
		case color.RGBA:
			colours[i] = [3]uint8{c.R, c.G, c.B}
		case color.NRGBA:
			colours[i] = [3]uint8{c.R, c.G, c.B}
		default:
			panic(fmt.Sprintf("imaging: package png returned a palette of %T", c))
		}
	}
	for i, index := range p.Pix {
		*(*[3]uint8)(dst[3*i:]) = colours[index]
	}
}

// pngChunks yields the kind and the content of each whole chunk of a PNG file.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		const header, checksum = 8, 4
		for rest := data[len(pngSignature):]; len(rest) >= header+checksum; {
			size := uint64(binary.BigEndian.Uint32(rest))
			if uint64(len(rest)) < header+size+checksum || !yield(string(rest[4:header]), rest[header:header+size]) {
				return
			}
			rest = rest[header+size+checksum:]
		}
	}
}
