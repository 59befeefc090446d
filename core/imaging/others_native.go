//go:build !wasm

package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"io"
	"math"

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
		if kind.name == "GIF" {
			data = withScreen(data)
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
				if feature := misread(data); feature != "" {
					err = tiff.UnsupportedError(feature)
				}
				return nil, explainOther(kind.name, err)
			}
			if bitmap, ok := m.(*image.NRGBA); ok && kind.name == "BMP" {
				repairOpacity(bitmap.Pix)
			}
			whole := onWhite(m, image.Rect(0, 0, config.Width, config.Height))
			if kind.name == "TIFF" && isNegative(data) {
				for i, v := range whole.Pix {
					whole.Pix[i] = 255 - v
				}
			}
			return whole, nil
		}
		return p, nil
	}
	return nil, unknownFormat(data)
}

// repairOpacity makes RGBA pixels opaque if all are transparent, as browsers show a BMP: programs
// leave the byte at zero.
func repairOpacity(pix []uint8) {
	for i := 3; i < len(pix); i += 4 {
		if pix[i] != 0 {
			return
		}
	}
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 255
	}
}

// withScreen returns a GIF whose screen has room for its first frame, as browsers show it. Package
// gif refuses larger frames.
func withScreen(data []byte) []byte {
	const screen, header, extension, frame = 6, 13, 0x21, 0x2c
	if len(data) < header {
		return data
	}
	at := header
	if flags := data[10]; flags&0x80 != 0 {
		at += 3 << (flags&7 + 1) // the palette
	}
	for at < len(data) && data[at] == extension {
		for at += 2; at < len(data) && data[at] != 0; {
			at += 1 + int(data[at])
		}
		at++
	}
	if at+9 > len(data) || data[at] != frame {
		return data
	}
	wide := bytes.Clone(data)
	for side := range 2 {
		room := data[screen+2*side:]
		end := int(binary.LittleEndian.Uint16(data[at+1+2*side:])) + int(binary.LittleEndian.Uint16(data[at+5+2*side:]))
		if end <= math.MaxUint16 {
			binary.LittleEndian.PutUint16(wide[screen+2*side:], max(binary.LittleEndian.Uint16(room), uint16(end)))
		}
	}
	return wide
}

// Compressions of faxes in TIFF files.
const group3, group4 = 3, 4

// misread returns the feature of a TIFF file that package tiff takes for damage, or "".
func misread(data []byte) string {
	const separate = 2
	switch {
	case tiffField(data, tagPlanes) == separate:
		return "colors in separate planes"
	case tiffField(data, tagCompression) == group3 && tiffField(data, tagFaxOptions) != 0:
		return "options of a Group 3 fax"
	}
	return ""
}

// isNegative reports whether package tiff returns the negative of a file: a fax (Group 3 or 4)
// whose zeros are black.
func isNegative(data []byte) bool {
	const blackIsZero = 1
	compression := tiffField(data, tagCompression)
	return (compression == group3 || compression == group4) && tiffField(data, tagPhotometric) == blackIsZero
}

func explainOther(format string, err error) error {
	var unsupported tiff.UnsupportedError
	if errors.Is(err, bmp.ErrUnsupported) || errors.As(err, &unsupported) {
		return fmt.Errorf("%w (%s: %v): save it as JPEG, PNG or WebP", ErrUnsupported, format, err)
	}
	return explain(format, err)
}
