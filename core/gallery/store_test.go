package gallery

import (
	"errors"
	"io"
	"slices"
)

// storage is a Store in memory that may break.
type storage struct {
	bytes  []byte
	writes int // that have been asked for
	fails  int // from which write on all fail; 0 for none
	half   bool
}

var errBroken = errors.New("disk broken")

func (s *storage) WriteAt(b []byte, at int64) (int, error) {
	s.writes++
	if s.fails > 0 && s.writes >= s.fails {
		if !s.half {
			return 0, errBroken
		}
		b = b[:len(b)/2]
	}
	if grown := int(at) + len(b); grown > len(s.bytes) {
		s.bytes = append(s.bytes, make([]byte, grown-len(s.bytes))...)
	}
	copy(s.bytes[at:], b)
	if s.fails > 0 && s.writes >= s.fails {
		return len(b), io.ErrShortWrite
	}
	return len(b), nil
}

func (s *storage) Sync() error { return nil }

func (s *storage) Truncate(size int64) error {
	s.bytes = slices.Clone(s.bytes[:size])
	return nil
}
