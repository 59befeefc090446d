// Package png decodes PNG files to RGB of 8 bits a colour, a row at a time.
//
// The standard library's image/png makes a picture of the file's own kind first, of up
// to eight bytes a pixel and twice that for an interlaced one, before anybody can make
// RGB of it: a file of half a megabyte takes 700 MB. Here a row is unpacked and goes to
// where it belongs, so the picture and two rows are all that there is.
//
// All kinds and depths are decoded. Grey becomes RGB of equal parts, palettes are looked
// up, samples of 16 bits lose their low byte, and what is transparent is blended over white.
// Section numbers are those of the PNG specification, third edition.
package png

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Signature is what every PNG file begins with.
const Signature = "\x89PNG\r\n\x1a\n"

// FormatError says what in the data is not as PNG has it.
type FormatError string

// Error says what is wrong with the file.
func (e FormatError) Error() string { return "png: " + string(e) }

// Kinds of colour (table 11.1).
const (
	grey      = 0
	rgb       = 2
	indexed   = 3
	greyAlpha = 4
	rgbAlpha  = 6
)

// channels of each kind of colour; 0 where there is no such kind.
var channels = [7]int{grey: 1, rgb: 3, indexed: 1, greyAlpha: 2, rgbAlpha: 4}

// Decoder holds a file whose headers have been read.
type Decoder struct {
	Width, Height int
	Exif          []byte // a TIFF structure, nil when there is none

	// Convert, where it is set before Decode, converts the colors of pixels, [n, 3], in place.
	// They are blended afterwards.
	Convert func(rgb []uint8)

	// Profile is the deflated ICC profile, SRGB says that the colors are sRGB, Gamma is the
	// file's gamma × 100,000, Primaries are white, red, green and blue, x and y × 100,000. Each
	// is zero where the file does not say.
	Profile   []byte
	SRGB      bool
	Gamma     uint32
	Primaries [8]uint32

	depth, kind int
	interlaced  bool
	palette     [256][3]uint8 // black beyond its end
	opacity     []uint8       // of the palette's first colors; the others are opaque
	key         []uint16      // the transparent grey or RGB, nil for none
	data        []byte        // of the picture, deflated
	size        int           // of the file
}

// Open reads the chunks of a PNG file but for the picture. It copies the
// compressed picture, and allocates nothing that grows with the number of pixels.
//
// A file may end early or go on behind its picture, and a wrong checksum spoils only a chunk that
// the picture needs: an ancillary one is passed over, as libpng does.
//
// # Errors
//
// io.ErrUnexpectedEOF for a file without even a header or a palette, or a FormatError.
func Open(data []byte) (*Decoder, error) {
	d := &Decoder{size: len(data)}
	const header, checksum = 8, 4
	colours, first, ended := false, true, false
	for rest := data[len(Signature):]; !ended && len(rest) >= header; {
		size := uint64(binary.BigEndian.Uint32(rest))
		kind := string(rest[4:header])
		if uint64(len(rest)) < header+size+checksum {
			if kind == "IDAT" && !first { // all rows may be there
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
			return nil, FormatError(fmt.Sprintf("chunk %q is not as its checksum says", kind))
		case first != (kind == "IHDR"):
			return nil, FormatError("the header chunk is not the first one, or not the only one")
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
			colours = true
		case "IDAT":
			d.data = append(d.data, body...)
		case "IEND":
			ended = true
		default:
			d.ancillary(kind, body)
		}
	}
	switch {
	case first, d.kind == indexed && !colours && !ended:
		return nil, io.ErrUnexpectedEOF
	case d.kind == indexed && !colours:
		return nil, FormatError("no palette")
	}
	return d, nil
}

// ancillary reads a chunk about colors or orientation. One of wrong length does not count, as
// with libpng.
func (d *Decoder) ancillary(kind string, body []byte) {
	switch kind {
	case "tRNS":
		d.transparent(body)
	case "iCCP":
		if name := bytes.IndexByte(body, 0); name >= 0 && name+2 <= len(body) {
			d.Profile = body[name+2:] // behind the method of compression
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
	fine := false
	switch d.kind {
	case grey:
		fine = d.depth == 1 || d.depth == 2 || d.depth == 4 || d.depth == 8 || d.depth == 16
	case indexed:
		fine = d.depth == 1 || d.depth == 2 || d.depth == 4 || d.depth == 8
	case rgb, greyAlpha, rgbAlpha:
		fine = d.depth == 8 || d.depth == 16
	}
	if !fine || b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return FormatError(fmt.Sprintf("kind %d of %d bits, methods %d, %d and %d", d.kind, d.depth, b[10], b[11], b[12]))
	}
	d.interlaced = b[12] == 1
	return nil
}

// transparent reads which colors are transparent (section 11.3.1.1).
func (d *Decoder) transparent(b []byte) {
	switch {
	case d.kind == indexed && len(b) <= 256:
		d.opacity = b
	case d.kind == grey && len(b) == 2, d.kind == rgb && len(b) == 6:
		d.key = nil
		for i := 0; i < len(b); i += 2 {
			d.key = append(d.key, binary.BigEndian.Uint16(b[i:])&(1<<d.depth-1))
		}
	}
}

// bits is what a pixel takes.
func (d *Decoder) bits() int { return channels[d.kind] * d.depth }

// Memory is about how many bytes Decode takes at its peak, its result included.
func (d *Decoder) Memory() int64 {
	const window = 64 << 10 // of inflate, and its tables
	return int64(len(d.data)) + 3*int64(d.Width)*int64(d.Height) + 2*int64(d.rowBytes(d.Width)) + 4*int64(d.Width) + window
}

// Work is how many bytes Decode has to unpack.
func (d *Decoder) Work() int64 { return int64(d.rowBytes(d.Width)) * int64(d.Height) }

// Cut reports that the file is not all there: it has fewer bytes than deflate needs for the
// picture, of which it makes at most 1032 from one.
func (d *Decoder) Cut() bool { return d.Work()/1032 > int64(d.size) }

// rowBytes is what a row of so many pixels takes, without the number of its filter.
func (d *Decoder) rowBytes(pixels int) int { return (d.bits()*pixels + 7) / 8 }

// Decode returns the picture as RGB, [Height, Width, 3]. It is to be called once.
//
// # Errors
//
// io.ErrUnexpectedEOF when the file is cut off, a FormatError, or one of package zlib.
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
	return pix, nil // whatever follows the last row
}
