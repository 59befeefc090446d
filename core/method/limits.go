package method

import (
	"fmt"
	"unicode/utf8"
)

// Limits of the examples in learners and project files: more than a device can hold, and
// low enough to bound the memory that a hostile file can request.
const (
	MaxNodes    = 1 << 12 // local embeddings of a picture
	MaxChannels = 1 << 13
	MaxText     = 1000 // Unicode code points of a name or an id
)

// CheckText returns an error that calls text what, unless text is UTF-8 of at most MaxText code points.
func CheckText(what, text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s %.40q is not UTF-8: convert it", what, text)
	}
	if n := utf8.RuneCountInString(text); n > MaxText {
		return fmt.Errorf("%s has %d characters: want at most %d", what, n, MaxText)
	}
	return nil
}
