package verb

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain is an output on which names of files, classes and networks do no harm: what would move the
// cursor, clear the screen or turn text around is written as an escape of JSON, so that JSON
// stays what it says. Bytes that are no UTF-8 become \x escapes.
type plain struct {
	w    io.Writer
	rest []byte // the beginning of a letter whose end has not been written yet
}

// Plain returns an output for text that people read on w.
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

// moves reports whether a character does something to a terminal other than to appear: controls but
// for the end of a line and the tabulator, and marks that set the direction of text.
func moves(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// Line returns a name without ends of lines, for a place in a line of its own.
func Line(name string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(name)
}

// terminal returns the file behind an output, nil where there is none.
func terminal(w io.Writer) *os.File {
	if p, ok := w.(*plain); ok {
		w = p.w
	}
	f, _ := w.(*os.File)
	return f
}
