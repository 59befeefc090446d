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
	"unicode/utf8"

	"github.com/deepemd/deepemd/core/tensor"
)

// DType is the element type that a file is written with.
type DType int

const (
	// F32 keeps every value.
	F32 DType = iota
	// F16 halves the file; values are rounded to the nearest half float.
	F16
	// I8 has a byte for each value of a filter, four for any other tensor's. Filters
	// must be whole numbers from -127 to 127: see resnet.Whole, which also makes them
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
	*tensor.Tensor
	bytes *Bytes
	dtype DType
}

// shape is the tensor's.
func (s stored) shape() []int {
	if s.bytes != nil {
		return s.bytes.Shape
	}
	return s.Shape
}

// size is the number of bytes that it takes.
func (s stored) size() int {
	if s.bytes != nil {
		return len(s.bytes.Values)
	}
	return len(s.Data) * s.dtype.size()
}

// stored are all tensors of the file by their names, the scales of bytes among them.
func (f *File) stored(dtype DType) map[string]stored {
	all := make(map[string]stored, len(f.Tensors)+2*len(f.Bytes))
	for name, t := range f.Tensors {
		all[name] = stored{Tensor: t, dtype: dtype.of(t)}
	}
	for name, b := range f.Bytes {
		all[name] = stored{bytes: b, dtype: I8}
		all[name+ScaleSuffix] = stored{Tensor: tensor.Of(b.Scale, len(b.Scale)), dtype: F32}
	}
	return all
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
	tensors := f.stored(dtype)
	names := slices.Sorted(maps.Keys(tensors))
	for _, name := range names {
		if name == metadataKey || !utf8.ValidString(name) {
			return fmt.Errorf("%s: no tensor may be called %q", f.Source, name)
		}
		t := tensors[name]
		if t.bytes != nil {
			continue
		}
		if err := checkEncodable(t.Tensor, t.dtype); err != nil {
			return fmt.Errorf("%s: tensor %s: %w", f.Source, name, err)
		}
	}
	header := f.header(names, tensors)
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))); err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	for _, name := range names {
		if err := tensors[name].write(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// header returns the JSON of the header, its keys in order, padded with spaces
// so that the tensors start at a multiple of 8 bytes.
func (f *File) header(names []string, tensors map[string]stored) []byte {
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
		t := tensors[name]
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
	for _, v := range s.Data {
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
