package imaging

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/deepemd/deepemd/core/imaging/internal/jpeg"
)

// MaxPixels is the size of the largest picture that is decoded, 67 million
// pixels: above what phones take, and below what a page may allocate.
const MaxPixels = 1 << 26

// Errors of Decode, for errors.Is. Returned errors wrap them, with the finding and
// the remedy.
var (
	ErrFormat      = errors.New("not a JPEG, PNG or WebP picture")
	ErrUnsupported = errors.New("a kind of picture that is not supported")
	ErrTruncated   = errors.New("the file ends before its picture does")
	ErrCorrupt     = errors.New("the file is damaged")
	ErrTooLarge    = errors.New("the picture is too large")
)

// Decode returns the picture in a JPEG, PNG or WebP file, told apart by their
// first bytes, upright by its Exif orientation. The pixels are those that Pillow
// gives as ImageOps.exif_transpose(Image.open(f)).convert("RGB"): bit for bit for
// JPEG (see package jpeg), lossless and lossy WebP, and PNG. Grey becomes RGB of
// equal parts, palettes are looked up, alpha is dropped without blending, 16-bit
// samples lose their low byte, and CMYK is read as Adobe writes it. (Where Pillow
// clips 16-bit grey to 255, the high byte is kept here too.)
//
// # Errors
//
// They wrap ErrFormat, ErrUnsupported, ErrTruncated, ErrCorrupt or ErrTooLarge and
// name the remedy. They do not name the file, which only the caller knows.
func Decode(data []byte) (*Image, error) { return decode(data, MaxPixels) }

// decode is Decode with a limit of its own.
func decode(data []byte, maxPixels int) (*Image, error) {
	var (
		m    *Image
		exif []byte
		err  error
	)
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		m, exif, err = decodeJPEG(data, maxPixels)
	case bytes.HasPrefix(data, []byte(pngSignature)):
		m, exif, err = decodePNG(data, maxPixels)
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		m, exif, err = decodeWebP(data, maxPixels)
	default:
		return nil, unknownFormat(data)
	}
	if err != nil {
		return nil, err
	}
	return orient(m, orientation(exif)), nil
}

// decodeJPEG decodes a JPEG file and finds its Exif data.
func decodeJPEG(data []byte, maxPixels int) (*Image, []byte, error) {
	d, err := jpeg.Open(data)
	if err != nil {
		return nil, nil, explain("JPEG", err)
	}
	if err := checkSize(d.Width, d.Height, maxPixels); err != nil {
		return nil, nil, err
	}
	pix, err := d.Decode()
	if err != nil {
		return nil, nil, explain("JPEG", err)
	}
	return &Image{Width: d.Width, Height: d.Height, Pix: pix}, d.Exif, nil
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
	case errors.Is(err, jpeg.ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w (%s): download or copy it again", ErrTruncated, format)
	case errors.As(err, &unsupported):
		return fmt.Errorf("%w (%v): save it as an ordinary JPEG, PNG or WebP", ErrUnsupported, err)
	default:
		return fmt.Errorf("%w (%v): save it again from its original", ErrCorrupt, err)
	}
}
