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
	"slices"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/internal/tensor"
)

// chunk is the number of values that are read or written at a time. Memory is allocated only as
// data arrives, whatever size a file claims.
const chunk = 1 << 16

// WriteNPY writes an array of float32, float64, int, int64, int32 or uint8 as a NumPy file (.npy,
// version 1.0, little endian).
//
// # Errors
//
// Other elements; the views that [Tensor] rejects; errors of w.
func WriteNPY(w io.Writer, d *dense.Dense) error {
	if err := plain(d); err != nil {
		return err
	}
	switch d.Dtype() {
	case dense.Float32:
		return write(w, "<f4", d.Shape(), d.Float32s())
	case dense.Float64:
		return write(w, "<f8", d.Shape(), d.Float64s())
	case dense.Int64:
		return write(w, "<i8", d.Shape(), d.Int64s())
	case dense.Int32:
		return write(w, "<i4", d.Shape(), d.Int32s())
	case dense.Uint8:
		return write(w, "|u1", d.Shape(), d.Uint8s())
	case dense.Int:
		values := make([]int64, len(d.Ints()))
		for i, v := range d.Ints() {
			values[i] = int64(v)
		}
		return write(w, "<i8", d.Shape(), values)
	}
	return fmt.Errorf("an array of %v cannot be written, want float32, float64, int64, int32 or uint8", d.Dtype())
}

func write[T any](w io.Writer, descr string, shape []int, values []T) error {
	if _, err := w.Write(header{descr: descr, shape: shape}.encode()); err != nil {
		return err
	}
	for part := range slices.Chunk(values, chunk) {
		if err := binary.Write(w, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
}

// WriteRows writes a NumPy file (.npy) of float32 [rows, columns], both at least 1, row by row.
// Only one row, filled by the function row, is in memory. It returns the errors of row and of w.
func WriteRows(w io.Writer, rows, columns int, row func(i int, dst []float32) error) error {
	h := header{descr: "<f4", shape: []int{rows, columns}}
	if err := h.check(); err != nil {
		return err
	}
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	values := make([]float32, columns)
	for i := range rows {
		if err := row(i, values); err != nil {
			return err
		}
		if err := binary.Write(w, binary.LittleEndian, values); err != nil {
			return err
		}
	}
	return nil
}

// ReadNPY reads one array from a NumPy file (.npy, versions 1.0 to 3.0) of float16, which becomes
// float32, or float32, float64, int64, int32 or uint8. It converts column-major arrays to
// row-major. It does not read past the array.
//
// # Errors
//
// Other formats, incomplete files, other element types or byte orders, arrays without elements.
func ReadNPY(r io.Reader) (*dense.Dense, error) { return readNPY(r, math.MaxInt) }

// readNPY reads an array of at most the given number of values.
func readNPY(r io.Reader, most int) (*dense.Dense, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if tensor.Len(h.shape) > most {
		return nil, fmt.Errorf("more than %d values in the file: not a supported network", maxElements)
	}
	switch h.descr {
	case "<f2":
		halves, err := read[uint16](r, h)
		if err != nil {
			return nil, err
		}
		values := make([]float32, len(halves))
		for i, v := range halves {
			values[i] = tensor.FromHalf(v)
		}
		return newDense(values, h.shape...)
	case "<f4":
		return readDense[float32](r, h)
	case "<f8":
		return readDense[float64](r, h)
	case "<i8":
		return readDense[int64](r, h)
	case "<i4":
		return readDense[int32](r, h)
	case "|u1", "<u1":
		return readDense[uint8](r, h)
	}
	return nil, fmt.Errorf("elements of type %.20q, want little-endian float, int32, int64 or uint8: convert them (in NumPy with .astype('<f4'))", h.descr)
}

func readDense[T any](r io.Reader, h header) (*dense.Dense, error) {
	values, err := read[T](r, h)
	if err != nil {
		return nil, err
	}
	return newDense(values, h.shape...)
}

func read[T any](r io.Reader, h header) ([]T, error) {
	n := tensor.Len(h.shape)
	values := make([]T, 0, min(n, chunk))
	width := binary.Size(values[:1])
	buf := make([]byte, min(n, chunk)*width)
	for len(values) < n {
		from, more := len(values), min(n-len(values), chunk)
		if _, err := io.ReadFull(r, buf[:more*width]); err != nil {
			return nil, fmt.Errorf("%w after %d of %d values: is the file complete?", err, from, n)
		}
		values = slices.Grow(values, more)[:from+more]
		if _, err := binary.Decode(buf[:more*width], binary.LittleEndian, values[from:]); err != nil {
			return nil, err
		}
	}
	if h.fortran {
		values = rowMajor(values, h.shape)
	}
	return values, nil
}

// rowMajor converts column-major values.
func rowMajor[T any](values []T, shape []int) []T {
	strides, stride := make([]int, len(shape)), 1
	for axis, extent := range shape {
		strides[axis] = stride
		stride *= extent
	}
	out := make([]T, len(values))
	index, at := make([]int, len(shape)), 0
	for i := range out {
		out[i] = values[at]
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index[axis]++
			at += strides[axis]
			if index[axis] < shape[axis] {
				break
			}
			at -= index[axis] * strides[axis]
			index[axis] = 0
		}
	}
	return out
}

// A .npy file consists of a magic string, a version, the length of its header, the header (a Python
// literal, padded with spaces and a line feed) and the values:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
const magic = "\x93NUMPY"

// align divides the offset of the values.
const align = 64

// Limits of headers: NumPy's own for the length, and for the number of axes.
const (
	maxHeader = 1 << 16
	maxRank   = 32
)

type header struct {
	descr   string // element type, such as "<f4"
	fortran bool   // column-major
	shape   []int
}

// encode returns everything before the values, version 1.0.
func (h header) encode() []byte {
	tuple := strings.ReplaceAll(numbers(h.shape), ",", ", ")
	if len(h.shape) == 1 {
		tuple += "," // (3,)
	}
	text := fmt.Appendf(nil, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", h.descr, tuple)
	for (len(magic)+4+len(text)+1)%align != 0 {
		text = append(text, ' ')
	}
	text = append(text, '\n')
	head := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), uint16(len(text)))
	return append(head, text...)
}

func readHeader(r io.Reader) (header, error) {
	start := make([]byte, len(magic)+2)
	if _, err := io.ReadFull(r, start); err != nil || !bytes.HasPrefix(start, []byte(magic)) {
		return header{}, errors.New("not a NumPy file (.npy): save the array with numpy.save")
	}
	version := start[len(magic)]
	if version < 1 || version > 3 {
		return header{}, fmt.Errorf("NumPy file version %d, want 1 to 3: save it with another version of NumPy", version)
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:min(2*version, 4)]); err != nil { // version 1 has two bytes
		return header{}, early(err)
	}
	n := binary.LittleEndian.Uint32(length)
	if n > maxHeader {
		return header{}, fmt.Errorf("header of %d bytes, want at most %d: the file is damaged", n, maxHeader)
	}
	text := make([]byte, n)
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

// toJSON converts the Python literal of a header to JSON, except commas before a closing bracket.
var toJSON = strings.NewReplacer("'", `"`, "(", "[", ")", "]", "True", "true", "False", "false")

var lastComma = regexp.MustCompile(`,\s*([\]}])`)

// parseHeader reads the literal: a dict of three entries in any order. It returns an error for
// other text, for arrays without elements, and for sizes that exceed memory.
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

// check returns an error unless the array has values and fits into memory.
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
