// Package png decodes PNG files to 8-bit RGB, one row at a time.
//
// The standard library's image/png first makes a picture in the file's own format, with up to eight
// bytes per pixel and twice that if interlaced: a file of half a megabyte can take 700 MB. This
// package needs memory only for the result, the deflated picture and two rows.
//
// It supports all color types and depths. Gray becomes RGB, palettes are expanded, 16-bit samples
// lose their low byte, and the caller blends transparent pixels. Section numbers refer to the PNG
// specification, third edition.
package png

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// Signature is the beginning of every PNG file.
const Signature = "\x89PNG\r\n\x1a\n"

// FormatError is a violation of the PNG format.
type FormatError string

// Error implements error.
func (e FormatError) Error() string { return "png: " + string(e) }

// Color types (table 11.1).
const (
	gray      = 0
	rgb       = 2
	indexed   = 3
	grayAlpha = 4
	rgbAlpha  = 6
)

// channels is the number of samples per pixel of each color type, and depths their possible numbers of
// bits; none for invalid types.
var (
	channels = [7]int{gray: 1, rgb: 3, indexed: 1, grayAlpha: 2, rgbAlpha: 4}
	depths   = [7][]int{gray: {1, 2, 4, 8, 16}, rgb: {8, 16}, indexed: {1, 2, 4, 8}, grayAlpha: {8, 16}, rgbAlpha: {8, 16}}
)

// Decoder is a file with parsed headers.
type Decoder struct {
	Width, Height int
	Exif          []byte // a TIFF structure, or nil

	// Convert converts the colors of pixels, [n, 3], in place, and blends them with a background.
	// alpha, [n], is their opacity, or nil for opaque pixels.
	Convert func(rgb, alpha []uint8)

	// Profile is the deflated ICC profile, SRGB reports sRGB colors, Gamma is the file's gamma ×
	// 100,000, and Primaries are x and y of white, red, green and blue × 100,000. Each is zero if
	// absent.
	Profile   []byte
	SRGB      bool
	Gamma     uint32
	Primaries [8]uint32

	depth, kind int
	interlaced  bool
	palette     [256][3]uint8 // black after its end
	opacity     []uint8       // of the first palette colors; others are opaque
	key         []uint16      // the transparent gray or RGB, or nil
	data        []byte        // the deflated picture
	size        int           // of the file
}

// Open reads the chunks of a PNG file. It copies the deflated picture, but allocates nothing else
// that grows with it.
//
// A file may end early or continue after its picture. Like libpng, Open ignores ancillary chunks
// with a wrong checksum.
//
// # Errors
//
// io.ErrUnexpectedEOF for a file that ends before its header or palette, or a FormatError.
func Open(data []byte) (*Decoder, error) {
	d := &Decoder{size: len(data)}
	const header, checksum = 8, 4
	colors, first, ended := false, true, false
	for rest := data[len(Signature):]; !ended && len(rest) >= header; {
		size := uint64(binary.BigEndian.Uint32(rest))
		kind := string(rest[4:header])
		if uint64(len(rest)) < header+size+checksum {
			if kind == "IDAT" && !first { // the rows may be complete
				d.data = append(d.data, rest[header:][:min(size, uint64(len(rest)-header))]...)
			}
			break
		}
		body := rest[header : header+size]
		intact := crc32.ChecksumIEEE(rest[4:header+size]) == binary.BigEndian.Uint32(rest[header+size:])
		rest = rest[header+size+checksum:]
		switch ancillary := kind[0]&0x20 != 0; {
		case !intact && ancillary:
			continue
		case !intact:
			return nil, FormatError(fmt.Sprintf("chunk %q has a wrong checksum", kind))
		case first != (kind == "IHDR"):
			return nil, FormatError("the header chunk is not first, or is repeated")
		}
		first = false
		switch kind {
		case "IHDR":
			if err := d.header(body); err != nil {
				return nil, err
			}
		case "PLTE":
			if len(body)%3 != 0 || len(body) == 0 || len(body) > 3*256 {
				return nil, FormatError("palette of wrong length")
			}
			for i := 0; i < len(body); i += 3 {
				d.palette[i/3] = [3]uint8(body[i:])
			}
			colors = true
		case "IDAT":
			d.data = append(d.data, body...)
		case "IEND":
			ended = true
		default:
			d.ancillary(kind, body)
		}
	}
	switch {
	case first, d.kind == indexed && !colors && !ended:
		return nil, io.ErrUnexpectedEOF
	case d.kind == indexed && !colors:
		return nil, FormatError("no palette")
	}
	return d, nil
}

// ancillary reads a chunk about colors or orientation. Like libpng it ignores one of wrong length.
func (d *Decoder) ancillary(kind string, body []byte) {
	switch kind {
	case "tRNS":
		d.transparent(body)
	case "iCCP":
		if name := bytes.IndexByte(body, 0); name >= 0 && name+2 <= len(body) {
			d.Profile = body[name+2:]
		}
	case "sRGB":
		d.SRGB = true
	case "gAMA":
		if len(body) == 4 {
			d.Gamma = binary.BigEndian.Uint32(body)
		}
	case "cHRM":
		if len(body) == 4*len(d.Primaries) {
			for i := range d.Primaries {
				d.Primaries[i] = binary.BigEndian.Uint32(body[4*i:])
			}
		}
	case "eXIf":
		d.Exif = body
	}
}

// header reads the header chunk (section 11.2.1).
func (d *Decoder) header(b []byte) error {
	if len(b) != 13 {
		return FormatError("header of wrong length")
	}
	width, height := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if width>>31 != 0 || height>>31 != 0 {
		return FormatError(fmt.Sprintf("picture of %d×%d pixels", width, height))
	}
	d.Width, d.Height = int(width), int(height)
	d.depth, d.kind = int(b[8]), int(b[9])
	if d.kind >= len(depths) || !slices.Contains(depths[d.kind], d.depth) || b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return FormatError(fmt.Sprintf("color type %d of %d bits, methods %d, %d and %d", d.kind, d.depth, b[10], b[11], b[12]))
	}
	d.interlaced = b[12] == 1
	return nil
}

// transparent reads the transparent colors (section 11.3.1.1).
func (d *Decoder) transparent(b []byte) {
	switch {
	case d.kind == indexed && len(b) <= 256:
		d.opacity = b
	case d.kind == gray && len(b) == 2, d.kind == rgb && len(b) == 6:
		d.key = nil
		for i := 0; i < len(b); i += 2 {
			d.key = append(d.key, binary.BigEndian.Uint16(b[i:])&(1<<d.depth-1))
		}
	}
}

// bits returns the number of bits per pixel.
func (d *Decoder) bits() int { return channels[d.kind] * d.depth }

// Memory returns the estimated peak of Decode in bytes, including its result.
func (d *Decoder) Memory() int64 {
	const window = 64 << 10 // inflate's window and tables
	return int64(len(d.data)) + 3*int64(d.Width)*int64(d.Height) + 2*int64(d.rowBytes(d.Width)) + 4*int64(d.Width) + window
}

// Work returns the number of bytes that Decode unpacks.
func (d *Decoder) Work() int64 { return int64(d.rowBytes(d.Width)) * int64(d.Height) }

// Cut reports whether the file is too short for its picture: deflate expands a byte to at most
// 1032.
func (d *Decoder) Cut() bool { return d.Work()/1032 > int64(d.size) }

// rowBytes returns the number of bytes in a row, without its filter type.
func (d *Decoder) rowBytes(pixels int) int { return (d.bits()*pixels + 7) / 8 }

// Decode returns the picture as RGB, [Height, Width, 3]. Set Convert before, and call it once.
//
// # Errors
//
// io.ErrUnexpectedEOF for truncated data, a FormatError, or an error of package zlib.
func (d *Decoder) Decode() ([]uint8, error) {
	if d.Cut() {
		return nil, io.ErrUnexpectedEOF
	}
	from, err := zlib.NewReader(bytes.NewReader(d.data))
	if err != nil {
		return nil, err
	}
	pix := make([]uint8, 3*d.Width*d.Height)
	for _, p := range d.passes() {
		if err := d.pass(from, pix, p); err != nil {
			return nil, err
		}
	}
	return pix, nil // ignores data after the last row
}
