//go:build !wasm

package imaging

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// others lists formats of scanners, old programs and screenshots. The engine does not link them,
// because browsers decode them.
var others = []struct {
	name, begins string
	config       func(io.Reader) (image.Config, error)
	decode       func(io.Reader) (image.Image, error)
}{
	{"BMP", "BM", bmp.DecodeConfig, bmp.Decode},
	{"GIF", "GIF8", gif.DecodeConfig, gif.Decode}, // the first frame
	{"TIFF", tiffLittle, tiff.DecodeConfig, tiff.Decode},
	{"TIFF", tiffBig, tiff.DecodeConfig, tiff.Decode},
}

// sniffOther reports whether a file looks like a BMP, GIF or TIFF. A BMP has zeros after its size,
// unlike a text that begins with "BM".
func sniffOther(data []byte) bool {
	for _, kind := range others {
		if bytes.HasPrefix(data, []byte(kind.begins)) {
			return kind.name != "BMP" || len(data) >= 10 && bytes.Equal(data[6:10], make([]byte, 4))
		}
	}
	return false
}

// openOther opens a BMP, GIF or TIFF file, or returns ErrFormat.
func openOther(data []byte) (*encoded, error) {
	for _, kind := range others {
		if !bytes.HasPrefix(data, []byte(kind.begins)) {
			continue
		}
		const reduced = 1
		if kind.name == "TIFF" && tiffField(data, tagSubfile) == reduced {
			return nil, fmt.Errorf("%w: it is a camera's raw file; save it as JPEG, PNG or WebP", ErrFormat)
		}
		config, err := kind.config(bytes.NewReader(data))
		if err != nil {
			return nil, explainOther(kind.name, err)
		}
		// Up to four 16-bit channels, RGBA over white, and the result.
		memory := int64(config.Width) * int64(config.Height) * (8 + 4 + 3)
		p := &encoded{width: config.Width, height: config.Height, memory: memory, format: kind.name}
		if kind.name == "TIFF" {
			p.exif = data // a TIFF file is a TIFF structure
		}
		p.decode = func(func([]uint8)) (*Image, error) {
			m, err := kind.decode(bytes.NewReader(data))
			if err != nil {
				return nil, explainOther(kind.name, err)
			}
			canvas := image.NewRGBA(image.Rect(0, 0, config.Width, config.Height))
			draw.Draw(canvas, canvas.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(canvas, m.Bounds(), m, m.Bounds().Min, draw.Over)
			whole := newImage(config.Width, config.Height)
			splitAlpha(whole.Pix, canvas.Pix)
			return whole, nil
		}
		return p, nil
	}
	return nil, unknownFormat(data)
}

func explainOther(format string, err error) error {
	var unsupported tiff.UnsupportedError
	if errors.Is(err, bmp.ErrUnsupported) || errors.As(err, &unsupported) {
		return fmt.Errorf("%w (%s: %v): save it as JPEG, PNG or WebP", ErrUnsupported, format, err)
	}
	return explain(format, err)
}
