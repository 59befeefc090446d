package gallery

import (
	"errors"
	"io"
)

// storage is a Store in memory whose writes can fail.
type storage struct {
	Buffer
	writes int // that have been asked for
	fails  int // from which write on all fail; 0 for none
	half   bool
}

var errBroken = errors.New("disk broken")

func (s *storage) WriteAt(b []byte, at int64) (int, error) {
	s.writes++
	if s.fails == 0 || s.writes < s.fails {
		return s.Buffer.WriteAt(b, at)
	}
	if !s.half {
		return 0, errBroken
	}
	n, err := s.Buffer.WriteAt(b[:len(b)/2], at)
	return n, errors.Join(err, io.ErrShortWrite)
}
