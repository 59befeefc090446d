package arrays

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/weights"
)

// chunk is how many values are read or written at a time. What a file claims to
// hold is given memory no faster than it arrives.
const chunk = 1 << 16

// WriteNPY writes an array of float32, float64, int, int64, int32 or uint8 as a
// NumPy file (.npy, version 1.0, little endian).
//
// # Errors
//
// Other elements; the views that [Tensor] refuses; errors of w as they come.
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
	return fmt.Errorf("an array of %v has no form here: want float32, float64, int64, int32 or uint8", d.Dtype())
}

// write writes a header and values.
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

// WriteRows writes a NumPy file (.npy) of float32 [rows, columns], of which at least one
// each, row by row, as row fills them: no more than one is in memory.
//
// # Errors
//
// Those of row, and of w.
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

// ReadNPY reads one array from a NumPy file (.npy, versions 1.0 to 3.0) of
// float16, which becomes float32, float32, float64, int64, int32 or uint8. One
// laid out column by column is reordered. It reads no further than the array.
//
// # Errors
//
// What is no such file, one that ends early, other element types or byte orders,
// arrays without elements.
func ReadNPY(r io.Reader) (*dense.Dense, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	switch h.descr {
	case "<f2":
		halves, err := read[uint16](r, h)
		if err != nil {
			return nil, err
		}
		values := make([]float32, len(halves))
		for i, v := range halves {
			values[i] = weights.FromHalf(v)
		}
		return over(values, h.shape...)
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
	return over(values, h.shape...)
}

// read reads the values of an array, row by row.
func read[T any](r io.Reader, h header) ([]T, error) {
	n := h.elements()
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
	if h.fortran && len(h.shape) > 1 {
		values = rowMajor(values, h.shape)
	}
	return values, nil
}

// rowMajor returns values of a shape row by row that lie column by column: the
// first index fastest.
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
