package imaging

import (
	"bytes"
	"fmt"
	"strings"
)

// signatures are the first bytes of files that people take for pictures which
// Decode reads, each with what to call it.
var signatures = []struct {
	at    int
	bytes string
	name  string
}{
	{0, "GIF8", "a GIF"},
	{0, "BM", "a BMP"},
	{0, "II*\x00", "a TIFF or a camera's raw file"},
	{0, "MM\x00*", "a TIFF or a camera's raw file"},
	{4, "ftypavif", "an AVIF picture"},
	{4, "ftyphei", "a HEIC picture"},
	{4, "ftyphev", "a HEIC picture"},
	{4, "ftypmif1", "a HEIF picture"},
	{4, "ftypmsf1", "a HEIF picture"},
	{4, "ftyp", "a video"},
	{0, "\x1aE\xdf\xa3", "a video"},
	{0, "\xff\x0a", "a JPEG XL picture"},
	{0, "\x00\x00\x00\x0cJXL ", "a JPEG XL picture"},
	{0, "\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture"},
	{0, "%PDF", "a PDF"},
	{0, "PK\x03\x04", "a zip archive"},
	{0, "<svg", "an SVG drawing"},
	{0, "<?xml", "an SVG drawing or other XML"},
	{0, "<!DOCTYPE", "a web page"},
	{0, "<html", "a web page"},
}

// unknownFormat says what data, which Decode does not read, look like.
func unknownFormat(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	for _, s := range signatures {
		if s.at < len(data) && bytes.HasPrefix(data[s.at:], []byte(s.bytes)) {
			return fmt.Errorf("%w: it is %s; save it as JPEG, PNG or WebP", ErrFormat, s.name)
		}
	}
	if len(data) < 12 {
		return fmt.Errorf("%w: it has only %d bytes", ErrFormat, len(data))
	}
	head := strings.ToValidUTF8(string(data[:12]), "�")
	return fmt.Errorf("%w: it begins with %q; save the picture as JPEG, PNG or WebP", ErrFormat, head)
}
