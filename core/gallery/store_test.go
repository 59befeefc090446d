package gallery

import (
	"errors"
	"io"
)

// storage is a Store in memory whose writes can fail.
type storage struct {
	Buffer
	writes int // attempted
	fails  int // the first write that fails; 0 means never
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
