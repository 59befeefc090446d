package imaging

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/internal/filekind"
)

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
