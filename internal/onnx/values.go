package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TensorProto.DataType, those that are read.
const (
	typeFloat   = 1
	typeInt32   = 6
	typeInt64   = 7
	typeFloat16 = 10
)

// maxAxes bounds the axes of a weight.
const maxAxes = 8

// values is a TensorProto.
type values struct {
	name     string
	shape    []int
	kind     int
	raw      []byte
	hasRaw   bool
	floats   []float32
	integers []int
}

func readValues(message []byte) (v values, err error) {
	err = each(message, func(f field) (err error) {
		switch f.number {
		case 1:
			v.shape, err = f.integers(v.shape)
		case 2:
			v.kind = int(int32(f.value))
		case 4:
			v.floats, err = f.floats(v.floats)
		case 5, 7: // int32_data, which half floats are in too, and int64_data
			v.integers, err = f.integers(v.integers)
		case 8:
			v.name = string(f.bytes)
		case 9:
			v.raw, v.hasRaw = f.bytes, true
		case 13, 14:
			if f.number == 13 || f.value != 0 {
				err = errors.New("its values lie in another file: export with torch.onnx.export(…, external_data=False), or save the model as one by onnx.save(onnx.load(\"model.onnx\"), \"one.onnx\") in Python")
			}
		}
		return err
	})
	return v, err
}

// add puts the values into the graph under a name. Those that are neither floats nor
// integers are left out.
func (v *values) add(g *Graph, name string) error {
	count, err := v.count()
	if err != nil {
		return err
	}
	switch v.kind {
	case typeFloat, typeFloat16:
		data, err := v.asFloats(count)
		if err != nil {
			return err
		}
		g.Tensors[name] = tensor.Of(data, v.shape...)
	case typeInt32, typeInt64:
		if g.Integers[name], err = v.asIntegers(count); err != nil {
			return err
		}
	}
	return nil
}

// count is the number of values that the shape has.
func (v *values) count() (int, error) {
	if len(v.shape) > maxAxes {
		return 0, fmt.Errorf("it has %d axes, want %d at most", len(v.shape), maxAxes)
	}
	count := 1
	for _, extent := range v.shape {
		if extent < 0 || extent > math.MaxInt32 || extent > 0 && count > math.MaxInt32/extent {
			return 0, fmt.Errorf("its shape is %v, which no file holds", v.shape)
		}
		count *= extent
	}
	return count, nil
}

func (v *values) asFloats(count int) ([]float32, error) {
	width := 4
	if v.kind == typeFloat16 {
		width = 2
	}
	switch {
	case v.hasRaw && len(v.raw) == width*count:
		data := make([]float32, count)
		for i := range data {
			if width == 2 {
				data[i] = weights.FromHalf(binary.LittleEndian.Uint16(v.raw[2*i:]))
			} else {
				data[i] = math.Float32frombits(binary.LittleEndian.Uint32(v.raw[4*i:]))
			}
		}
		return data, nil
	case v.hasRaw:
		return nil, v.mismatch(len(v.raw)/width, count)
	case width == 4 && len(v.floats) == count:
		return v.floats, nil
	case width == 4:
		return nil, v.mismatch(len(v.floats), count)
	case len(v.integers) != count:
		return nil, v.mismatch(len(v.integers), count)
	}
	data := make([]float32, count)
	for i, bits := range v.integers {
		data[i] = weights.FromHalf(uint16(bits))
	}
	return data, nil
}

func (v *values) asIntegers(count int) ([]int, error) {
	if !v.hasRaw {
		if len(v.integers) != count {
			return nil, v.mismatch(len(v.integers), count)
		}
		return v.integers, nil
	}
	width := 8
	if v.kind == typeInt32 {
		width = 4
	}
	if len(v.raw) != width*count {
		return nil, v.mismatch(len(v.raw)/width, count)
	}
	data := make([]int, count)
	for i := range data {
		if width == 4 {
			data[i] = int(int32(binary.LittleEndian.Uint32(v.raw[4*i:])))
		} else {
			data[i] = int(int64(binary.LittleEndian.Uint64(v.raw[8*i:])))
		}
	}
	return data, nil
}

func (v *values) mismatch(got, want int) error {
	return fmt.Errorf("it has %d values, its shape %v wants %d: the file is damaged", got, v.shape, want)
}
