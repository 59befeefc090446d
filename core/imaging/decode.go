package imaging

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deepemd/deepemd/core/imaging/internal/jpeg"
	"github.com/deepemd/deepemd/core/imaging/internal/png"
	"github.com/deepemd/deepemd/internal/filekind"
)

// MaxPixels is the maximum size of a picture, 67 million pixels: more than phones take, and less
// than a page may allocate.
const MaxPixels = 1 << 26

// Errors of Decode, for errors.Is. Returned errors wrap them with the cause and the remedy.
var (
	ErrFormat      = errors.New("not a picture that can be read")
	ErrUnsupported = errors.New("an unsupported kind of picture")
	ErrTruncated   = errors.New("the file ends before its picture does")
	ErrCorrupt     = errors.New("the file is damaged")
	ErrTooLarge    = errors.New("the picture is too large")
)

// Decode returns the picture in a JPEG, PNG or WebP file, and outside of WebAssembly also in a BMP,
// GIF or TIFF file. It detects the format from the first bytes and applies the Exif orientation.
// The pixels equal Pillow's ImageOps.exif_transpose(Image.open(f)).convert("RGB"), bit for bit for
// JPEG (see package jpeg), WebP and PNG. Gray becomes RGB, palettes are expanded, 16-bit samples
// lose their low byte, and CMYK is read as Adobe writes it. (Pillow clips 16-bit gray to 255;
// Decode keeps the high byte.)
//
// Unlike Pillow, it shows a picture as browsers do. It blends transparent pixels with white, and
// converts other color spaces to sRGB, within two levels of Chromium, if an ICC profile has curves
// and a matrix or a PNG file has a gamma. It ignores other profiles: see Unconverted. An animation
// is its first frame.
//
// All concurrent calls together take up to 768 MB: a call waits until there is enough memory.
// Returned pictures are not counted; they take three bytes per pixel, at most 201 MB. To hold many
// pictures, limit their number, or use DecodeWithin with fewer pixels.
//
// # Errors
//
// They wrap ErrFormat, ErrUnsupported, ErrTruncated, ErrCorrupt or ErrTooLarge and name the remedy,
// but not the file. ErrTooLarge is a picture of more than MaxPixels, or one that would take too
// much memory or work for a file of its size: 112 MB and 200 times the file are always allowed.
func Decode(data []byte) (*Image, error) { return DecodeWithin(data, MaxPixels) }

// DecodeWithin is Decode with a limit on the number of pixels. It returns ErrTooLarge before
// decoding.
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
	inFlight.acquire(p.memory)
	defer inFlight.release(p.memory)
	convert := func([]uint8) {}
	if t, _ := p.colors(); t != nil {
		convert = t.apply
	}
	m, err := p.decode(convert)
	if err != nil {
		return nil, err
	}
	return Orient(m, turned), nil
}

// encoded is a file whose headers have been read.
type encoded struct {
	width, height int
	memory        int64 // estimated peak of decoding, including the picture
	exif          []byte
	format        string
	cut           bool       // the file is too short for its picture
	profile       []byte     // ICC, nil if absent
	space         *transform // to sRGB, for a file without a profile
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

// checkSize returns an error for an empty picture, or one of more than maxPixels.
func checkSize(width, height, maxPixels int) error {
	if width < 1 || height < 1 {
		return fmt.Errorf("%w: its header claims %d×%d pixels; save it again from its original", ErrCorrupt, width, height)
	}
	if int64(width)*int64(height) > int64(maxPixels) {
		return fmt.Errorf("%w: %d×%d pixels, the limit is %.3g million; scale it down first",
			ErrTooLarge, width, height, float64(maxPixels)/1e6)
	}
	return nil
}

// explain converts a decoder's error to an error of this package, with the name of the format and
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

// openPNG opens a PNG file, the first picture of an animated one.
func openPNG(data []byte) (*encoded, error) {
	d, err := png.Open(data)
	if err != nil {
		return nil, explain("PNG", err)
	}
	// Unpacking takes work even if the result is not kept.
	memory := max(d.Memory(), d.Work())
	p := &encoded{width: d.Width, height: d.Height, memory: memory, exif: d.Exif, format: "PNG", cut: d.Cut()}
	switch {
	case d.Profile != nil:
		p.profile = inflate(d.Profile)
	case !d.SRGB:
		p.space = gammaOf(d)
	}
	p.decode = func(convert func([]uint8)) (*Image, error) {
		d.Convert = func(rgb, alpha []uint8) {
			convert(rgb)
			if alpha != nil {
				overWhite(rgb, alpha, 1)
			}
		}
		pix, err := d.Decode()
		if err != nil {
			return nil, explain("PNG", err)
		}
		return &Image{Width: d.Width, Height: d.Height, Pix: pix}, nil
	}
	return p, nil
}

// Sniff reports whether Decode reads files that begin like data. 16 bytes suffice.
func Sniff(data []byte) bool {
	begins := func(at int, magic string) bool {
		return len(data) >= at && bytes.HasPrefix(data[at:], []byte(magic))
	}
	return begins(0, "\xff\xd8\xff") || begins(0, pngSignature) || begins(0, "RIFF") && begins(8, "WEBP") || sniffOther(data)
}

// unknownFormat returns an error that names the format of data, if known.
func unknownFormat(data []byte) error {
	const remedy = "save it as JPEG, PNG or WebP"
	switch name, _ := filekind.Of(data); {
	case len(data) == 0:
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	case name == "" && len(data) < 12:
		return fmt.Errorf("%w: it has only %d B", ErrFormat, len(data))
	case name == "":
		return fmt.Errorf("%w: it begins with %q; %s", ErrFormat, strings.ToValidUTF8(string(data[:12]), "�"), remedy)
	}
	return fmt.Errorf("%w%s", ErrFormat, filekind.Instead(data, remedy))
}
