package verb

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepemd/deepemd/internal/folders"
)

// plain is an output that protects the terminal from names of files, classes and networks. It writes
// control characters and marks of text direction as JSON escapes, which keeps JSON output exact.
// Invalid UTF-8 becomes \x escapes.
type plain struct {
	w    io.Writer
	rest []byte // the first bytes of an incomplete character
}

// Plain returns an output that writes to w without control characters.
func Plain(w io.Writer) io.Writer { return &plain{w: w} }

// Write implements io.Writer.
func (p *plain) Write(text []byte) (int, error) {
	var out strings.Builder
	all := append(p.rest, text...)
	p.rest = nil
	for len(all) > 0 {
		r, size := utf8.DecodeRune(all)
		switch {
		case r == utf8.RuneError && size == 1 && !utf8.FullRune(all):
			p.rest = append([]byte(nil), all...)
			size = len(all)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, all[0])
		case moves(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.Write(all[:size])
		}
		all = all[size:]
	}
	if _, err := io.WriteString(p.w, out.String()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// moves reports whether a character controls the terminal or sets the direction of text. Newline and
// tab are allowed.
func moves(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// Line escapes newlines and tabs in a name, for output that has one name per line.
func Line(name string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(name)
}

// Printed returns the name of a file as tables print it, on an output of [Plain].
func Printed(name string) string {
	var text strings.Builder
	_, _ = Plain(&text).Write([]byte(Line(folders.Text(name)))) // a Builder has no errors
	return text.String()
}

// terminal returns the file that an output writes to, or nil.
func terminal(w io.Writer) *os.File {
	if p, ok := w.(*plain); ok {
		w = p.w
	}
	f, _ := w.(*os.File)
	return f
}
