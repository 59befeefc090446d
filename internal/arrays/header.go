package arrays

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
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

// toJSON turns the Python literal of a header into JSON, but for commas before a closing
// bracket.
var toJSON = strings.NewReplacer("'", `"`, "(", "[", ")", "]", "True", "true", "False", "false")

// lastComma is a comma before a closing bracket, which JSON does not have.
var lastComma = regexp.MustCompile(`,\s*([\]}])`)

// parseHeader reads the literal: a dict of three entries in any order.
//
// # Errors
//
// Any other text, and arrays without elements or with more than fit in memory.
func parseHeader(text string) (header, error) {
	var dict struct {
		Descr   *string `json:"descr"`
		Fortran *bool   `json:"fortran_order"`
		Shape   *[]int  `json:"shape"`
	}
	decoder := json.NewDecoder(strings.NewReader(lastComma.ReplaceAllString(toJSON.Replace(text), "$1")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&dict); err != nil {
		return header{}, fmt.Errorf("%w: the file is damaged", err)
	}
	if decoder.More() || dict.Descr == nil || dict.Fortran == nil || dict.Shape == nil {
		return header{}, errors.New("want descr, fortran_order and shape: the file is damaged")
	}
	h := header{descr: *dict.Descr, fortran: *dict.Fortran, shape: *dict.Shape}
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
		if extent < 0 || n > math.MaxInt/8/extent {
			return fmt.Errorf("impossible shape %v: the file is damaged", h.shape)
		}
		n *= extent
	}
	return nil
}
