package arrays

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A .npy file is a magic string, a version, the length of its header, the header
// (a Python literal, padded with spaces and ended by a line feed) and the values:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
const magic = "\x93NUMPY"

// align divides the length of everything before the values.
const align = 64

// Limits of what is believed of a header: NumPy's own for its length, and for
// the number of axes.
const (
	maxHeader = 1 << 16
	maxRank   = 32
)

// header describes the array of a .npy file.
type header struct {
	descr   string // element type, such as "<f4"
	fortran bool   // column by column: the first index fastest
	shape   []int
}

// elements is the product of the shape, which readHeader has checked for
// overflow.
func (h header) elements() int {
	n := 1
	for _, extent := range h.shape {
		n *= extent
	}
	return n
}

// encode returns everything before the values, version 1.0.
func (h header) encode() []byte {
	var shape strings.Builder
	for _, extent := range h.shape {
		fmt.Fprintf(&shape, "%d, ", extent)
	}
	tuple := shape.String()
	if len(h.shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ", ")
	} else {
		tuple = strings.TrimSuffix(tuple, " ") // (3,)
	}
	text := fmt.Appendf(nil, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", h.descr, tuple)
	for (len(magic)+4+len(text)+1)%align != 0 {
		text = append(text, ' ')
	}
	text = append(text, '\n')
	head := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), uint16(len(text)))
	return append(head, text...)
}

// readHeader reads everything before the values.
func readHeader(r io.Reader) (header, error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil || !bytes.HasPrefix(start, []byte(magic)) {
		return header{}, errors.New("not a NumPy file (.npy): save the array with numpy.save")
	}
	length := 0
	switch version := start[len(magic)]; version {
	case 1:
		var n uint16
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return header{}, early(err)
		}
		length = int(n)
	case 2, 3:
		var n uint32
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return header{}, early(err)
		}
		if n > maxHeader {
			return header{}, fmt.Errorf("header of %d bytes, want at most %d: the file is damaged", n, maxHeader)
		}
		length = int(n)
	default:
		return header{}, fmt.Errorf("NumPy file of version %d, want 1 to 3: save it with another NumPy", version)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return header{}, early(err)
	}
	h, err := parseHeader(string(text))
	if err != nil {
		return header{}, fmt.Errorf("header %.120q: %w", text, err)
	}
	return h, nil
}

func early(err error) error { return fmt.Errorf("%w in the header: is the file complete?", err) }

// parseHeader reads the literal: a dict of three entries in any order.
//
// # Errors
//
// Any other text, and arrays without elements or with more than fit in memory.
func parseHeader(text string) (header, error) {
	s := literal{rest: text}
	var h header
	var seen [3]bool
	s.expect("{")
	for !s.accept("}") && s.err == nil {
		key := s.text()
		s.expect(":")
		which := 0
		switch key {
		case "descr":
			h.descr = s.text()
		case "fortran_order":
			which, h.fortran = 1, s.truth()
		case "shape":
			which, h.shape = 2, s.tuple()
		default:
			s.fail("unknown entry %.20q", key)
		}
		if seen[which] {
			s.fail("%s comes twice", key)
		}
		seen[which] = true
		if !s.accept(",") {
			s.expect("}")
			break
		}
	}
	if s.skip(); s.rest != "" {
		s.fail("more after the closing brace")
	}
	if seen != [3]bool{true, true, true} {
		s.fail("want descr, fortran_order and shape")
	}
	if s.err != nil {
		return header{}, fmt.Errorf("%w: the file is damaged", s.err)
	}
	return h, h.check()
}

// check returns an error unless the array has values, and as many as memory can
// hold.
func (h header) check() error {
	if len(h.shape) > maxRank {
		return fmt.Errorf("%d axes, want at most %d", len(h.shape), maxRank)
	}
	n := 1
	for _, extent := range h.shape {
		if extent == 0 {
			return fmt.Errorf("an array of shape %v has no values", h.shape)
		}
		if n > math.MaxInt/8/extent {
			return fmt.Errorf("impossible shape %v: the file is damaged", h.shape)
		}
		n *= extent
	}
	return nil
}

// literal reads a Python literal from its beginning and keeps the first error.
type literal struct {
	rest string
	err  error
}

func (s *literal) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *literal) skip() { s.rest = strings.TrimLeft(s.rest, " \t\r\n") }

// accept passes over a token if it comes next.
func (s *literal) accept(token string) bool {
	s.skip()
	rest, ok := strings.CutPrefix(s.rest, token)
	s.rest = rest
	return ok
}

func (s *literal) expect(token string) {
	if !s.accept(token) {
		s.fail("want %s before %.20q", token, s.rest)
	}
}

// text reads a string without escapes.
func (s *literal) text() string {
	s.skip()
	if s.rest == "" || s.rest[0] != '\'' && s.rest[0] != '"' {
		s.fail("want a string before %.20q", s.rest)
		return ""
	}
	text, rest, ok := strings.Cut(s.rest[1:], s.rest[:1])
	if !ok {
		s.fail("a string has no end")
		return ""
	}
	s.rest = rest
	return text
}

func (s *literal) truth() bool {
	if s.accept("True") {
		return true
	}
	s.expect("False")
	return false
}

// tuple reads whole numbers from 0 on in parentheses.
func (s *literal) tuple() []int {
	values := []int{}
	s.expect("(")
	for !s.accept(")") && s.err == nil {
		s.skip()
		digits := s.rest[:len(s.rest)-len(strings.TrimLeft(s.rest, "0123456789"))]
		v, err := strconv.Atoi(digits)
		if err != nil {
			s.fail("want a whole number before %.20q", s.rest)
			break
		}
		s.rest = s.rest[len(digits):]
		values = append(values, v)
		if !s.accept(",") {
			s.expect(")")
			break
		}
	}
	return values
}
