// Package jpeg decodes JPEG files to the very pixels that libjpeg-turbo, and so
// Pillow, OpenCV and browsers, make of them.
//
// The standard library's image/jpeg is correct but not equal: its inverse
// transform rounds differently in about one sample of fifty, and its colour
// conversion repeats chroma samples where libjpeg interpolates them. A network
// trained on pixels from one decoder and used on pixels from another drifts by
// more than its logits may, so this room repeats libjpeg's arithmetic: the
// accurate integer inverse transform ("islow"), "fancy" (triangle) chroma
// upsampling and fixed-point YCbCr to RGB.
//
// Baseline, extended sequential and progressive files of 8 bits a sample are
// decoded, grey, YCbCr, RGB, CMYK and YCCK, with any whole-number subsampling,
// restart markers and interleaved or separate scans. Arithmetic coding, lossless
// and 12-bit files are refused by name. Where libjpeg guesses at damaged data
// with a warning, this decoder returns an error.
//
// Section and table numbers are those of ITU-T T.81 (ISO/IEC 10918-1).
package jpeg

import (
	"errors"
	"fmt"
	"slices"
)

// Decoder holds a file whose headers have been read.
type Decoder struct {
	Width, Height int
	Exif          []byte // the TIFF structure of the Exif segment, nil when there is none

	data []byte
	pos  int // of the next byte of data to read

	progressive bool
	components  []component
	maxH, maxV  int // largest sampling factors of any component
	colour      colour

	quant   [4]*[64]uint16 // in zig-zag order, as in the file
	dc, ac  [4]*huffman
	restart int // MCUs between restart markers, 0: none

	profiles [][]byte // parts of an ICC profile, with their numbers before them

	jfif  bool
	adobe int // transform of Adobe's APP14 segment, -1 when there is none
}

// Open reads the headers of a JPEG file up to its first scan. It keeps data and
// allocates nothing that grows with the size of the picture, which lets a caller
// judge Width and Height before asking for the pixels.
//
// # Errors
//
// ErrTruncated, a FormatError or an UnsupportedError.
func Open(data []byte) (*Decoder, error) {
	if len(data) < 2 || data[0] != 0xff || data[1] != markerSOI {
		return nil, FormatError("no start-of-image marker")
	}
	d := &Decoder{data: data, pos: 2, adobe: -1}
	found, err := d.nextScan()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, FormatError("no picture data before the end-of-image marker")
	}
	if d.components == nil {
		return nil, FormatError("picture data before the frame header")
	}
	d.colour = d.colourModel()
	return d, nil
}

// Decode reads the picture data and returns the picture as RGB, [Height, Width, 3].
// It is to be called once.
//
// # Errors
//
// ErrTruncated, ErrScans before anything is allocated, a FormatError or an
// UnsupportedError.
func (d *Decoder) Decode() ([]uint8, error) {
	if err := d.checkScans(); err != nil {
		return nil, err
	}
	if err := d.allocate(); err != nil {
		return nil, err
	}
	missing := func() int {
		return slices.IndexFunc(d.components, func(c component) bool { return !c.scanned })
	}
	for {
		if err := d.scan(); err != nil {
			return nil, err
		}
		if !d.progressive && missing() < 0 {
			break // what follows, even a missing end marker, changes no pixel
		}
		found, err := d.nextScan()
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
	}
	if i := missing(); i >= 0 {
		return nil, FormatError(fmt.Sprintf("component %d has no picture data", d.components[i].id))
	}
	return d.pixels(), nil
}

// ErrTruncated says that the data end before the picture does.
var ErrTruncated = errors.New("jpeg: the data end before the picture does")

// ErrScans says that a progressive file goes over its picture more often than any
// encoder does.
var ErrScans = errors.New("jpeg: too many scans")

// FormatError says what in the data is not as JPEG has it.
type FormatError string

// Error says what is wrong with the file.
func (e FormatError) Error() string { return "jpeg: " + string(e) }

// UnsupportedError names a feature of JPEG that this decoder does not have.
type UnsupportedError string

// Error names the feature that is not supported.
func (e UnsupportedError) Error() string { return "jpeg: " + string(e) + " is not supported" }
