// Package filekind names the kind of a file from its first bytes, for error messages about wrong
// files.
package filekind

import "bytes"

// kinds are the first bytes of common files. An empty remedy depends on the caller.
var kinds = []struct {
	at                   int
	begins, name, remedy string
}{
	{0, "version https://git-lfs", "a Git LFS pointer", "fetch the file itself with `git lfs pull`"},
	{0, "<svg", "an SVG drawing", ""},
	{0, "<?xml", "an SVG drawing or other XML", ""},
	{0, "<", "a web page", "is the address right?"},
	{0, "\xff\xd8\xff", "a JPEG image", ""},
	{0, "\x89PNG", "a PNG image", ""},
	{0, "GIF8", "a GIF image", ""},
	{0, "BM", "a BMP image", ""},
	{0, "II*\x00", "a TIFF image or a camera's raw file", ""},
	{0, "MM\x00*", "a TIFF image or a camera's raw file", ""},
	{8, "WEBP", "a WebP image", ""},
	{0, "RIFX", "a big-endian WAV recording", ""},
	{8, "WAVE", "a WAV recording", ""},
	{8, "AVI ", "an AVI video", ""},
	{4, "ftypavif", "an AVIF image", ""},
	{4, "ftyphei", "a HEIC image", ""},
	{4, "ftyphev", "a HEIC image", ""},
	{4, "ftypmif1", "a HEIF image", ""},
	{4, "ftypmsf1", "a HEIF image", ""},
	{4, "ftypM4A", "an M4A recording", ""},
	{4, "ftypcrx", "a camera raw file", ""},
	{4, "ftypqt", "a QuickTime video", ""},
	{4, "ftyp", "an MP4 video or recording", ""},
	{0, "\x1aE\xdf\xa3", "a WebM or Matroska video or recording", ""},
	{0, "\xff\x0a", "a JPEG XL image", ""},
	{0, "\x00\x00\x00\x0cJXL ", "a JPEG XL image", ""},
	{0, "\x00\x00\x00\x0cjP  ", "a JPEG 2000 image", ""},
	{0, "OggS", "an Ogg recording", ""},
	{0, "fLaC", "a FLAC recording", ""},
	{0, "FORM", "an AIFF recording", ""},
	{0, "ID3", "an MP3 recording", ""},
	{0, "\xff\xfb", "an MP3 recording", ""},
	{0, "\xff\xfa", "an MP3 recording", ""},
	{0, "\xff\xf3", "an MP3 recording", ""},
	{0, "\xff\xf2", "an MP3 recording", ""},
	{0, "\xff\xf1", "an AAC recording", ""},
	{0, "\xff\xf9", "an AAC recording", ""},
	{0, "#!AMR", "an AMR recording", ""},
	{0, "0&\xb2u\x8ef\xcf\x11", "a WMA recording or WMV video", ""},
	{0, "%PDF", "a PDF", ""},
	{0, "PK\x03\x04", "a zip archive", ""},
	{0, "\x1f\x8b", "a gzip file", ""},
	{257, "ustar", "a tar archive", ""},
}

// Of returns the kind of a file, such as "a PDF", and a remedy if only one mistake leads to such a
// file. Both are empty for unknown kinds.
func Of(data []byte) (name, remedy string) {
	for _, k := range kinds {
		if k.at < len(data) && bytes.HasPrefix(data[k.at:], []byte(k.begins)) {
			return k.name, k.remedy
		}
	}
	return "", ""
}

// Instead completes an error message about a wrong file: ": it is a web page; is the address
// right?". The argument remedy applies to kinds without a specific one.
func Instead(data []byte, remedy string) string {
	name, own := Of(data)
	if own != "" {
		remedy = own
	}
	if name != "" {
		return ": it is " + name + "; " + remedy
	}
	return ": " + remedy
}

// IsONNX reports whether data begin like an ONNX model: the format version, a small number, and
// another field of the model.
func IsONNX(data []byte) bool {
	const version, most, fields = 0x08, 32, "\x12\x1a\x22\x28\x32\x3a\x42"
	return len(data) > 2 && data[0] == version && data[1] > 0 && data[1] < most && bytes.IndexByte([]byte(fields), data[2]) >= 0
}
