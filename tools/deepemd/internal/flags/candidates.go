package flags

import (
	"fmt"
	"strconv"

	"github.com/deepemd/deepemd/core/gallery"
)

// ParseCandidates parses a number of candidates, or all.
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
