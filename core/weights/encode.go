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

// DType selects the element types of a file.
type DType int

const (
	// F32 keeps every value.
	F32 DType = iota
	// F16 halves the file; values are rounded to half floats. Tensors with values beyond half floats
	// (±65504), as the variances of a ResNet-12 can be, are written as float32.
	F16
	// I8 uses a byte per value of a filter, and float32 for other tensors. Filters must contain
	// integers from -127 to 127: see backbone.WithIntegerFilters, which can also use fewer bits for
	// better compression.
	I8
	// W8 writes float32, except embeddings of tokens and positions, which have three axes, as half
	// floats. It is for files from [File.Quantized].
	W8
)

// String returns the name in safetensors: "F32", "F16" or "I8".
func (d DType) String() string { return [...]string{F32: "F32", F16: "F16", I8: "I8", W8: "F32"}[d] }

// size returns the number of bytes per element.
func (d DType) size() int { return [...]int{F32: 4, F16: 2, I8: 1, W8: 4}[d] }

// of returns the element type for a tensor.
func (d DType) of(t *tensor.Tensor) DType {
	switch {
	case d == W8 && len(t.Shape) == 3:
		return F16.of(t)
	case d == W8, d == I8 && len(t.Shape) != 4:
		return F32
	case d == F16 && slices.ContainsFunc(t.Data, func(v float32) bool { return tensor.ToHalf(v)&0x7fff == 0x7c00 }):
		return F32
	}
	return d
}

// stored is a tensor as written to a file, of floats or of bytes.
type stored struct {
	name   string
	floats *tensor.Tensor
	bytes  *Bytes
	dtype  DType
}

// stored returns all tensors of the file, including scales, sorted by name.
func (f *File) stored(dtype DType) []stored {
	var all []stored
	for name, t := range f.Tensors {
		all = append(all, stored{name: name, floats: t, dtype: dtype.of(t)})
	}
	for name, b := range f.Bytes {
		scale := tensor.Of(b.Scale, len(b.Scale))
		all = append(all, stored{name: name, bytes: b, dtype: I8}, stored{name: name + ScaleSuffix, floats: scale, dtype: F32})
	}
	slices.SortFunc(all, func(a, b stored) int { return strings.Compare(a.name, b.name) })
	return all
}

func (s stored) shape() []int {
	if s.bytes != nil {
		return s.bytes.Shape
	}
	return s.floats.Shape
}

// size returns the number of bytes.
func (s stored) size() int {
	if s.bytes != nil {
		return len(s.bytes.Values)
	}
	return len(s.floats.Data) * s.dtype.size()
}

// Encode writes f as a safetensors file, with a header padded to a multiple of 8 bytes and tensors
// sorted by name. The output is reproducible. Quantized tensors are written as they are for any
// dtype.
//
// # Errors
//
// Before anything is written: invalid metadata, NaN or infinite values, fractions for I8. Errors of
// w.
func (f *File) Encode(w io.Writer, dtype DType) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	tensors := f.stored(dtype)
	for _, t := range tensors {
		if t.name == metadataKey || !utf8.ValidString(t.name) {
			return fmt.Errorf("%s: no tensor may be called %q", f.Source, t.name)
		}
		if t.bytes == nil {
			if err := checkEncodable(t.floats, t.dtype); err != nil {
				return fmt.Errorf("%s: tensor %s: %w", f.Source, t.name, err)
			}
		}
	}
	header := f.Meta.header(tensors)
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))); err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	for _, t := range tensors {
		if err := t.write(out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// header returns the JSON of the header with sorted keys, padded with spaces so that tensors start
// at a multiple of 8 bytes.
func (m Meta) header(tensors []stored) []byte {
	metadata := m.Entries()
	pair := func(key string) string { return quote(key) + ":" + quote(metadata[key]) }
	text := fmt.Appendf(nil, "{%q:{%s}", metadataKey, join(slices.Sorted(maps.Keys(metadata)), pair))
	at := 0
	for _, t := range tensors {
		end := at + t.size()
		text = fmt.Appendf(text, `,%s:{"dtype":"%v","shape":[%s],"data_offsets":[%d,%d]}`, quote(t.name), t.dtype, join(t.shape(), strconv.Itoa), at, end)
		at = end
	}
	text = append(text, '}')
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	return text
}

// checkEncodable returns an error if dtype cannot represent a value of t.
func checkEncodable(t *tensor.Tensor, dtype DType) error {
	if err := CheckFinite(t); err != nil {
		return err
	}
	for i, v := range t.Data {
		if dtype == I8 && (v != float32(int8(v)) || v == math.MinInt8) {
			return fmt.Errorf("value %d is %v, not an integer from -127 to 127: write the file as F16", i, v)
		}
	}
	return nil
}

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
			binary.LittleEndian.PutUint16(buf[:], tensor.ToHalf(v))
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
