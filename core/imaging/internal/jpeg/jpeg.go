// Package jpeg decodes JPEG files to the same pixels as libjpeg-turbo, and therefore Pillow, OpenCV
// and browsers.
//
// The standard library's image/jpeg differs: its inverse transform rounds differently in about 2%
// of the samples, and it repeats chroma samples where libjpeg interpolates. A network trained with
// one decoder and used with another changes its logits by more than the tolerance. This package
// implements libjpeg's arithmetic: the accurate integer inverse transform ("islow"), "fancy"
// (triangle) chroma upsampling and fixed-point YCbCr to RGB.
//
// It decodes baseline, extended sequential and progressive files with 8 bits per sample: gray,
// YCbCr, RGB, CMYK and YCCK, with any integer subsampling, restart markers, and interleaved or
// separate scans. It rejects arithmetic coding, lossless and 12-bit files by name. libjpeg
// continues with a warning on damaged data; this package returns an error.
//
// Section and table numbers refer to ITU-T T.81 (ISO/IEC 10918-1).
package jpeg

import (
	"errors"
	"fmt"
	"slices"
)

// Decoder is a file with parsed headers.
type Decoder struct {
	Width, Height int
	Exif          []byte // the TIFF structure of the Exif segment, or nil

	data []byte
	pos  int // of the next byte

	progressive bool
	components  []component
	maxH, maxV  int // largest sampling factors
	colors      colorModel

	quant   [4]*[64]uint16 // in zig-zag order, as in the file
	dc, ac  [4]*huffman
	restart int // MCUs between restart markers, or 0

	profiles [][]byte // numbered parts of an ICC profile

	jfif  bool
	adobe int // transform of Adobe's APP14 segment, or -1
}

// Open reads the headers of a JPEG file up to its first scan. It keeps data, and its memory does
// not depend on the size of the picture, so the caller can check Width and Height before Decode.
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
	d.colors = d.model()
	return d, nil
}

// Decode returns the picture as RGB, [Height, Width, 3]. Call it once.
//
// # Errors
//
// ErrTruncated, ErrScans before anything is allocated, a FormatError or an UnsupportedError.
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
			break // the rest changes no pixel, even if truncated
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

// ErrTruncated reports data that end before the picture.
var ErrTruncated = errors.New("jpeg: the data end before the picture")

// ErrScans reports a progressive file with more scans than any encoder writes.
var ErrScans = errors.New("jpeg: too many scans")

// FormatError is a violation of the JPEG format.
type FormatError string

// Error implements error.
func (e FormatError) Error() string { return "jpeg: " + string(e) }

// UnsupportedError is a JPEG feature that this decoder does not support.
type UnsupportedError string

// Error implements error.
func (e UnsupportedError) Error() string { return "jpeg: " + string(e) + " is not supported" }
