package weights

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/filekind"
)

// A safetensors file is the length of its header (8 bytes, little endian), the header (a JSON
// object, padded with spaces) and the tensors' bytes, little endian, row-major, without gaps:
//
//	{"__metadata__": {"key": "value"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}

// metadataKey is the header's key of the metadata.
const metadataKey = "__metadata__"

// maxHeader is the maximum size of a header. A ResNet-12's takes about 10 kB.
const maxHeader = 1 << 22

// maxRank is the maximum number of axes; convolutions have four.
const maxRank = 8

// entry is the header's description of one tensor.
type entry struct {
	name       string
	dtype      string
	shape      []int
	begin, end int // in the data after the header
}

// splitHeader splits a file into its header and the tensors' bytes.
func splitHeader(data []byte) (header, body []byte, err error) {
	if guess := foreign(data); guess != "" {
		return nil, nil, errors.New(guess)
	}
	if len(data) < 8 {
		return nil, nil, fmt.Errorf("%d B are too few for a safetensors file: is the download complete?", len(data))
	}
	n, rest := binary.LittleEndian.Uint64(data), data[8:]
	if n > maxHeader || n < 2 {
		return nil, nil, fmt.Errorf("header of %d bytes, want 2 to %d: not a safetensors file?", n, maxHeader)
	}
	if n > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("header of %d bytes, but only %d follow: is the download complete?", n, len(rest))
	}
	if rest[0] != '{' {
		return nil, nil, errors.New("header does not start with {: not a safetensors file?")
	}
	return rest[:n], rest[n:], nil
}

// IsFile reports whether data may be a safetensors file: its header begins like one. The length
// before the header may look like another format.
func IsFile(data []byte) bool { return len(data) > 8 && data[8] == '{' }

// foreign returns the remedy for files that users confuse with weights, or "".
func foreign(data []byte) string {
	switch {
	case IsFile(data):
		return ""
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("\x80\x02")):
		return "this is a PyTorch or NumPy file: convert it with `deepemd import`"
	case filekind.IsONNX(data):
		return "this is an ONNX model: convert it with `deepemd import`"
	}
	if name, remedy := filekind.Of(data); name != "" {
		return "this is " + name + ", not weights: " + cmp.Or(remedy, "name a safetensors file")
	}
	return ""
}

// parseHeader parses the header's JSON. It returns the tensors in the order of their bytes.
//
// # Errors
//
// Other JSON than the grammar above, duplicate names, unknown or absent fields, a shape whose size
// overflows, reversed offsets.
func parseHeader(header []byte) (tensors []entry, metadata map[string]string, err error) {
	s := scanner{text: header}
	err = s.object(func(name string) error {
		if name == metadataKey {
			metadata = make(map[string]string)
			return s.object(func(key string) (err error) {
				metadata[key], err = s.string()
				return err
			})
		}
		e, err := readEntry(&s, name)
		tensors = append(tensors, e)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if s.peek(); s.at < len(header) {
		return nil, nil, s.errorf("more text after the closing brace")
	}
	slices.SortStableFunc(tensors, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end)) // empty tensors first
	})
	return tensors, metadata, nil
}

// readEntry parses and checks one tensor's entry.
func readEntry(s *scanner, name string) (entry, error) {
	e := entry{name: name}
	var offsets []int
	err := s.object(func(field string) (err error) {
		switch field {
		case "dtype":
			e.dtype, err = s.string()
		case "shape":
			e.shape, err = s.integers()
		case "data_offsets":
			offsets, err = s.integers()
		default:
			err = s.errorf("unknown field %.40q", field)
		}
		return err
	})
	if err == nil {
		err = e.check(offsets)
	}
	if err != nil {
		return entry{}, fmt.Errorf("tensor %.80s: %w", name, err)
	}
	e.begin, e.end = offsets[0], offsets[1]
	return e, nil
}

// check returns an error for an incomplete entry or an impossible size.
func (e entry) check(offsets []int) error {
	if e.dtype == "" || e.shape == nil || offsets == nil {
		return errors.New("header entry lacks dtype, shape or data_offsets: the file is damaged")
	}
	if len(e.shape) > maxRank {
		return fmt.Errorf("%d axes, want at most %d", len(e.shape), maxRank)
	}
	n := 1
	for _, d := range e.shape {
		if d > 0 && n > math.MaxInt/8/d {
			return fmt.Errorf("impossible shape %v: the file is damaged", e.shape)
		}
		n *= d
	}
	if len(offsets) != 2 || offsets[1] < offsets[0] {
		return fmt.Errorf("impossible data_offsets %v: the file is damaged", offsets)
	}
	return nil
}
