package flags

import (
	"fmt"
	"strconv"

	"github.com/deepemd/deepemd/core/gallery"
)

// ParseCandidates returns the number of pictures that are matched, of a flag.
func ParseCandidates(text string) (int, error) {
	if text == "all" {
		return gallery.All, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q: want a number of pictures, 0 or all", text)
	}
	return n, nil
}

// CandidatesText is the inverse of ParseCandidates.
func CandidatesText(n int) string {
	if n == gallery.All {
		return "all"
	}
	return strconv.Itoa(n)
}
