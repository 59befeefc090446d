package weights

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deepemd/deepemd/internal/tensor"
)

// DType is the element type that a file is written with.
type DType int

const (
	// F32 keeps every value.
	F32 DType = iota
	// F16 halves the file; values are rounded to the nearest half float.
	F16
	// I8 has a byte for each value of a filter, four for any other tensor's. Filters
	// must be whole numbers from -127 to 127: see backbone.Whole, which also makes them
	// of fewer bits, for a file that compresses better.
	I8
	// W8 is for what [File.Quantized] leaves beside the bytes: embeddings of tokens and of
	// positions, which have three axes, as half floats, and every value of all else.
	W8
)

// String returns the name that safetensors uses: "F32", "F16" or "I8".
func (d DType) String() string {
	switch d {
	case F16:
		return "F16"
	case I8:
		return "I8"
	}
	return "F32"
}

// size is the number of bytes of an element.
func (d DType) size() int {
	switch d {
	case F16:
		return 2
	case I8:
		return 1
	}
	return 4
}

// of is the type in which a tensor is written.
func (d DType) of(t *tensor.Tensor) DType {
	switch {
	case d == W8 && len(t.Shape) == 3:
		return F16
	case d == W8, d == I8 && len(t.Shape) != 4:
		return F32
	}
	return d
}

// stored is a tensor in the form that a file has it in: of floats, or of bytes.
type stored struct {
	floats *tensor.Tensor
	bytes  *Bytes
	dtype  DType
}

// shape is the tensor's.
func (s stored) shape() []int {
	if s.bytes != nil {
		return s.bytes.Shape
	}
	return s.floats.Shape
}

// size is the number of bytes that it takes.
func (s stored) size() int {
	if s.bytes != nil {
		return len(s.bytes.Values)
	}
	return len(s.floats.Data) * s.dtype.size()
}

// names are those of all tensors of the file, the scales of bytes among them, sorted.
func (f *File) names() []string {
	names := slices.Collect(maps.Keys(f.Tensors))
	for name := range f.Bytes {
		names = append(names, name, name+ScaleSuffix)
	}
	slices.Sort(names)
	return names
}

// stored is the tensor of one of these names.
func (f *File) stored(name string, dtype DType) stored {
	if t := f.Tensors[name]; t != nil {
		return stored{floats: t, dtype: dtype.of(t)}
	}
	if b := f.Bytes[name]; b != nil {
		return stored{bytes: b, dtype: I8}
	}
	b := f.Bytes[strings.TrimSuffix(name, ScaleSuffix)]
	return stored{floats: tensor.Of(b.Scale, len(b.Scale)), dtype: F32}
}

// Encode writes f as a safetensors file: the header padded to a multiple of 8
// bytes, the tensors in the order of their names. The same weights always give
// the same bytes. Those of Bytes are written as they are, whatever the type.
//
// # Errors
//
// Before anything is written: metadata that Meta.Validate refuses, NaN or infinite
// values, values beyond half floats (±65504) for F16, fractions for I8. Errors of
// w.
func (f *File) Encode(w io.Writer, dtype DType) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	names := f.names()
	for _, name := range names {
		if name == metadataKey || !utf8.ValidString(name) {
			return fmt.Errorf("%s: no tensor may be called %q", f.Source, name)
		}
		if t := f.stored(name, dtype); t.bytes == nil {
			if err := checkEncodable(t.floats, t.dtype); err != nil {
				return fmt.Errorf("%s: tensor %s: %w", f.Source, name, err)
			}
		}
	}
	header := f.header(names, dtype)
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))); err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	for _, name := range names {
		if err := f.stored(name, dtype).write(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// header returns the JSON of the header, its keys in order, padded with spaces
// so that the tensors start at a multiple of 8 bytes.
func (f *File) header(names []string, dtype DType) []byte {
	metadata := f.Meta.Entries()
	text := appendString([]byte("{"), metadataKey)
	separator := ":{"
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		text = append(text, separator...)
		text = appendString(text, key)
		text = append(text, ':')
		text = appendString(text, metadata[key])
		separator = ","
	}
	text = append(text, '}')
	at := 0
	for _, name := range names {
		t := f.stored(name, dtype)
		end := at + t.size()
		text = append(text, ',')
		text = appendString(text, name)
		text = fmt.Appendf(text, `:{"dtype":"%v","shape":[%s],"data_offsets":[%d,%d]}`, t.dtype, join(t.shape(), strconv.Itoa), at, end)
		at = end
	}
	text = append(text, '}')
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return text
}

// checkEncodable reports whether every value of t survives dtype.
func checkEncodable(t *tensor.Tensor, dtype DType) error {
	if err := CheckFinite(t); err != nil {
		return err
	}
	for i, v := range t.Data {
		switch {
		case dtype == F16 && ToHalf(v)&0x7fff == 0x7c00:
			return fmt.Errorf("value %d is %v, beyond half floats: write the file as F32", i, v)
		case dtype == I8 && (v != float32(int8(v)) || v == math.MinInt8):
			return fmt.Errorf("value %d is %v, no whole number from -127 to 127: write the file as F16", i, v)
		}
	}
	return nil
}

// write writes the values.
func (s stored) write(out *bufio.Writer) error {
	if s.bytes != nil {
		for _, v := range s.bytes.Values {
			if err := out.WriteByte(byte(v)); err != nil {
				return err
			}
		}
		return nil
	}
	var buf [4]byte
	for _, v := range s.floats.Data {
		switch s.dtype {
		case F16:
			binary.LittleEndian.PutUint16(buf[:], ToHalf(v))
		case I8:
			buf[0] = byte(int8(v))
		default:
			binary.LittleEndian.PutUint32(buf[:], math.Float32bits(v))
		}
		if _, err := out.Write(buf[:s.dtype.size()]); err != nil {
			return err
		}
	}
	return nil
}
