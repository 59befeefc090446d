package imaging

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deepemd/deepemd/core/imaging/internal/colorspace"
	"github.com/deepemd/deepemd/core/imaging/internal/jpeg"
	"github.com/deepemd/deepemd/core/imaging/internal/png"
	"github.com/deepemd/deepemd/internal/filekind"
)

// MaxPixels is the size of the largest picture that is decoded, 67 million
// pixels: above what phones take, and below what a page may allocate.
const MaxPixels = 1 << 26

// Errors of Decode, for errors.Is. Returned errors wrap them, with the finding and
// the remedy.
var (
	ErrFormat      = errors.New("not a picture that can be read")
	ErrUnsupported = errors.New("a kind of picture that is not supported")
	ErrTruncated   = errors.New("the file ends before its picture does")
	ErrCorrupt     = errors.New("the file is damaged")
	ErrTooLarge    = errors.New("the picture is too large")
)

// Decode returns the picture in a JPEG, PNG or WebP file, outside of WebAssembly also in
// a BMP, GIF or TIFF file, told apart by their first bytes, upright by its Exif
// orientation. The pixels are those that Pillow
// gives as ImageOps.exif_transpose(Image.open(f)).convert("RGB"): bit for bit for
// JPEG (see package jpeg), lossless and lossy WebP, and PNG. Grey becomes RGB of
// equal parts, palettes are looked up, 16-bit samples lose their low byte, and CMYK
// is read as Adobe writes it. (Where Pillow clips 16-bit grey to 255, the high byte
// is kept here too.)
//
// Unlike Pillow, it shows a picture as browsers do: transparency over white, and the
// colors of another space than sRGB converted to it, within two levels of Chromium, where
// an ICC profile has curves and a matrix or a PNG file names its gamma. Other profiles
// do not count: see Unconverted. An animation is its first frame.
//
// All pictures that are decoded at once take up to 768 MB together: a call waits
// until there is room for its own. That is the memory of calls until they return. What
// they have returned is not counted: three bytes a pixel, 201 MB at most, for as long as
// the caller holds it. Whoever holds many pictures bounds their number, or gives
// DecodeWithin fewer pixels.
//
// # Errors
//
// They wrap ErrFormat, ErrUnsupported, ErrTruncated, ErrCorrupt or ErrTooLarge and
// name the remedy. They do not name the file, which only the caller knows. Too large
// is a picture of more than MaxPixels, and one that would take more memory or work
// than a file of its size should: 112 MB and 200 times the file are always granted.
func Decode(data []byte) (*Image, error) { return DecodeWithin(data, MaxPixels) }

// DecodeWithin is Decode of pictures of up to so many pixels. Those of more are
// ErrTooLarge, before they are decoded.
func DecodeWithin(data []byte, pixels int) (*Image, error) {
	p, err := open(data)
	if err != nil {
		return nil, err
	}
	if err := checkSize(p.width, p.height, min(pixels, MaxPixels)); err != nil {
		return nil, err
	}
	turned := orientation(p.exif)
	if turned != upright {
		p.memory += 3 * int64(p.width) * int64(p.height)
	}
	if err := checkMemory(p.width, p.height, p.memory, len(data)); err != nil {
		if p.cut {
			err = explain(p.format, io.ErrUnexpectedEOF)
		}
		return nil, err
	}
	inFlight.take(p.memory)
	defer inFlight.give(p.memory)
	convert := func([]uint8) {}
	if t, _ := p.colors(); t != nil {
		convert = t.Apply
	}
	m, err := p.decode(convert)
	if err != nil {
		return nil, err
	}
	return orient(m, turned), nil
}

// encoded is a file whose headers have been read.
type encoded struct {
	width, height int
	memory        int64 // bytes that decoding takes at its peak, about; the picture included
	exif          []byte
	format        string
	cut           bool                  // the file is obviously not all there
	profile       []byte                // of ICC, nil when there is none
	space         *colorspace.Transform // to sRGB, for a file without a profile
	decode        func(convert func(rgb []uint8)) (*Image, error)
}

// open reads the headers of a file.
func open(data []byte) (*encoded, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return openJPEG(data)
	case bytes.HasPrefix(data, []byte(pngSignature)):
		return openPNG(data)
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return openWebP(data)
	}
	return openOther(data)
}

// openJPEG opens a JPEG file.
func openJPEG(data []byte) (*encoded, error) {
	d, err := jpeg.Open(data)
	if err != nil {
		return nil, explain("JPEG", err)
	}
	p := &encoded{width: d.Width, height: d.Height, memory: d.Memory(), exif: d.Exif, format: "JPEG", cut: d.Cut(), profile: d.Profile()}
	p.decode = func(convert func([]uint8)) (*Image, error) {
		pix, err := d.Decode()
		if err != nil {
			return nil, explain("JPEG", err)
		}
		convert(pix)
		return &Image{Width: d.Width, Height: d.Height, Pix: pix}, nil
	}
	return p, nil
}

// checkSize refuses empty pictures and those of more than maxPixels pixels.
func checkSize(width, height, maxPixels int) error {
	if width < 1 || height < 1 {
		return fmt.Errorf("%w: it says that it has %d×%d pixels; save it again from its original", ErrCorrupt, width, height)
	}
	if int64(width)*int64(height) > int64(maxPixels) {
		return fmt.Errorf("%w: %d×%d pixels, the limit is %.3g million; scale it down first",
			ErrTooLarge, width, height, float64(maxPixels)/1e6)
	}
	return nil
}

// explain wraps an error of a decoder in its kind, with the name of the format and
// the remedy.
func explain(format string, err error) error {
	var unsupported jpeg.UnsupportedError
	switch {
	case errors.Is(err, jpeg.ErrScans):
		return fmt.Errorf("%w to decode (%v): save it again from its original", ErrTooLarge, err)
	case errors.Is(err, jpeg.ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w (%s): download or copy it again", ErrTruncated, format)
	case errors.As(err, &unsupported):
		return fmt.Errorf("%w (%v): save it as an ordinary JPEG, PNG or WebP", ErrUnsupported, err)
	default:
		return fmt.Errorf("%w (%v): save it again from its original", ErrCorrupt, err)
	}
}

const pngSignature = png.Signature

// openPNG opens a PNG file, whose first picture counts when it is animated.
func openPNG(data []byte) (*encoded, error) {
	d, err := png.Open(data)
	if err != nil {
		return nil, explain("PNG", err)
	}
	// To unpack is to write, whether it is kept or not.
	memory := max(d.Memory(), d.Work())
	p := &encoded{width: d.Width, height: d.Height, memory: memory, exif: d.Exif, format: "PNG", cut: d.Cut()}
	switch {
	case d.Profile != nil:
		p.profile = inflate(d.Profile)
	case !d.SRGB:
		p.space = gammaOf(d)
	}
	p.decode = func(convert func([]uint8)) (*Image, error) {
		d.Convert = convert
		pix, err := d.Decode()
		if err != nil {
			return nil, explain("PNG", err)
		}
		return &Image{Width: d.Width, Height: d.Height, Pix: pix}, nil
	}
	return p, nil
}

// Sniff reports whether a file, by what it begins with, looks like one that Decode reads. 16
// bytes suffice.
func Sniff(data []byte) bool {
	begins := func(at int, magic string) bool {
		return len(data) >= at && bytes.HasPrefix(data[at:], []byte(magic))
	}
	return begins(0, "\xff\xd8\xff") || begins(0, pngSignature) || begins(0, "RIFF") && begins(8, "WEBP") || sniffOther(data)
}

// unknownFormat says what data, which Decode does not read, look like.
func unknownFormat(data []byte) error {
	const remedy = "save it as JPEG, PNG or WebP"
	switch name, _ := filekind.Of(data); {
	case len(data) == 0:
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	case name == "" && len(data) < 12:
		return fmt.Errorf("%w: it has only %d bytes", ErrFormat, len(data))
	case name == "":
		return fmt.Errorf("%w: it begins with %q; %s", ErrFormat, strings.ToValidUTF8(string(data[:12]), "�"), remedy)
	}
	return fmt.Errorf("%w%s", ErrFormat, filekind.Instead(data, remedy))
}
