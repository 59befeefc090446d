package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Decode decodes a safetensors file with complete metadata. It copies tensors (F32, F16, BF16 or
// I8) to float32, except I8 tensors with scales, see [Bytes]. The name, such as a file's, becomes
// File.Source and the prefix of every error.
//
// # Errors
//
// The same as DecodeTensors and Meta.Validate.
func Decode(name string, data []byte) (*File, error) {
	f, err := DecodeTensors(name, data)
	if err != nil {
		return nil, err
	}
	if err := f.Meta.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// DecodeTensors is Decode for files with absent or incomplete metadata, such as files of other
// programs. It ignores integer counters of batch normalization, num_batches_tracked.
//
// # Errors
//
// An invalid safetensors header; tensors that overlap, leave gaps, or do not end with the file; a
// size that differs from the shape; element types other than F32, F16, BF16 and I8; NaN or infinite
// values; malformed metadata. Errors name the file and the tensor.
func DecodeTensors(name string, data []byte) (*File, error) {
	f, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.Source = name
	return f, nil
}

func decode(data []byte) (*File, error) {
	header, body, err := splitHeader(data)
	if err != nil {
		return nil, err
	}
	entries, metadata, err := parseHeader(header)
	if err != nil {
		return nil, err
	}
	if err := checkLayout(entries, len(body)); err != nil {
		return nil, err
	}
	f := &File{Tensors: make(map[string]*tensor.Tensor, len(entries))}
	if f.Meta, err = ParseMeta(metadata); err != nil {
		return nil, err
	}
	// I8 tensors need their scales first.
	for _, whole := range []bool{false, true} {
		for _, e := range entries {
			if whole != (e.dtype == "I8") || strings.HasSuffix(e.name, ".num_batches_tracked") {
				continue
			}
			if err := f.read(e, body[e.begin:e.end]); err != nil {
				return nil, fmt.Errorf("tensor %.80s: %w", e.name, err)
			}
		}
	}
	return f, nil
}

// read decodes one tensor.
func (f *File) read(e entry, raw []byte) (err error) {
	scale := f.Tensors[e.name+ScaleSuffix]
	if e.dtype != "I8" || scale == nil {
		f.Tensors[e.name], err = readTensor(e, raw)
		return err
	}
	if f.Bytes == nil {
		f.Bytes = map[string]*Bytes{}
	}
	delete(f.Tensors, e.name+ScaleSuffix)
	f.Bytes[e.name], err = readBytes(e, raw, scale)
	return err
}

// checkLayout returns an error unless the tensors, in order, cover size bytes exactly.
func checkLayout(entries []entry, size int) error {
	at := 0
	for _, e := range entries {
		switch {
		case e.begin < at:
			return fmt.Errorf("tensor %.80s overlaps the previous tensor (starts at %d, want %d): the file is damaged", e.name, e.begin, at)
		case e.begin > at:
			return fmt.Errorf("%d bytes before tensor %.80s belong to no tensor: the file is damaged", e.begin-at, e.name)
		case e.end > size:
			return fmt.Errorf("tensor %.80s ends at byte %d of the data, which has %d: is the download complete?", e.name, e.end, size)
		}
		at = e.end
	}
	if at != size {
		return fmt.Errorf("bytes after the last tensor: %d: the file is damaged", size-at)
	}
	return nil
}

// readTensor converts a tensor to float32.
func readTensor(e entry, raw []byte) (*tensor.Tensor, error) {
	width, ok := map[string]int{"F32": 4, "F16": 2, "BF16": 2, "I8": 1}[e.dtype]
	if !ok {
		return nil, fmt.Errorf("element type %.20q, want F32, F16, BF16 or I8: save the weights as float32", e.dtype)
	}
	n := tensor.Len(e.shape)
	if len(raw) != n*width {
		return nil, fmt.Errorf("%d bytes for shape %v of %s, want %d: the file is damaged", len(raw), e.shape, e.dtype, n*width)
	}
	t := tensor.New(e.shape...)
	switch e.dtype {
	case "F32":
		for i := range t.Data {
			t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	case "F16":
		for i := range t.Data {
			t.Data[i] = tensor.FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case "BF16":
		for i := range t.Data {
			t.Data[i] = tensor.FromBrain(binary.LittleEndian.Uint16(raw[2*i:]))
		}
	case "I8":
		for i := range t.Data {
			t.Data[i] = float32(int8(raw[i]))
		}
	}
	return t, CheckFinite(t)
}

// CheckFinite returns an error with the index of the first NaN or infinite value of t.
func CheckFinite(t *tensor.Tensor) error {
	for i, v := range t.Data {
		if x := float64(v); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("value %d of %d is %v: the training diverged or the file is damaged", i, len(t.Data), v)
		}
	}
	return nil
}
