package data

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// decoding is raised when the same file comes to be decoded to other pixels.
const decoding = 1

// Fingerprint stands for the pixels of pictures of the set, as hexadecimal digits:
// it is another one when a file has changed since.
//
// # Errors
//
// Those of looking at the files.
func (s *Set) Fingerprint(pictures []Picture) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", decoding, s.maxSide)
	for _, p := range pictures {
		stamp, err := s.source.stamp(p.Name)
		if err != nil {
			return "", err
		}
		_, _ = io.WriteString(h, fmt.Sprintf("%q %s\n", p.Name, stamp)) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
