package main

import (
	"fmt"
	"strconv"

	"github.com/deepemd/deepemd/core/gallery"
)

// parseCandidates returns the number of pictures that are matched, of a flag.
func parseCandidates(text string) (int, error) {
	if text == "all" {
		return gallery.All, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q: want a number of pictures, 0 or all", text)
	}
	return n, nil
}

// candidatesText is the inverse of parseCandidates.
func candidatesText(n int) string {
	if n == gallery.All {
		return "all"
	}
	return strconv.Itoa(n)
}
