package weights

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Bytes is a quantized tensor. The values of channel i of the first axis are Scale[i] · Values.
// Some layers compute with the bytes; others convert them to floats. A file holds the values as I8,
// and the scales in a tensor with the same name and [ScaleSuffix].
type Bytes struct {
	Shape  []int
	Values []int8
	Scale  []float32 // [Shape[0]]
}

// ScaleSuffix is the suffix of the names of scale tensors.
const ScaleSuffix = ".scale"

// largestByte bounds the absolute values that are written.
const largestByte = 127

// Quantize rounds each weight to one of 255 values, evenly spaced between plus and minus the
// channel's largest weight. It rounds to the nearest value, except for 3×3 filters, which use
// [tensor.Feedback].
func Quantize(t *tensor.Tensor) *Bytes {
	b := &Bytes{Shape: slices.Clone(t.Shape), Values: make([]int8, len(t.Data)), Scale: make([]float32, t.Shape[0])}
	var feedback *tensor.Feedback
	if len(t.Shape) == 4 && t.Shape[2] == 3 && t.Shape[3] == 3 {
		feedback = tensor.NewFeedback()
	}
	whole := make([]float32, len(t.Data)/t.Shape[0])
	for o := range b.Scale {
		row := t.Row(o)
		largest := 0.0
		for _, w := range row {
			largest = max(largest, math.Abs(float64(w)))
		}
		b.Scale[o] = cmp.Or(float32(largest/largestByte), 1) // 1 for zeros, or nearly
		scale := 1 / float64(b.Scale[o])
		if feedback != nil {
			feedback.Round(whole, row, scale, largestByte)
		} else {
			for i, w := range row {
				whole[i] = float32(min(max(math.RoundToEven(float64(w)*scale), -largestByte), largestByte))
			}
		}
		for i, v := range whole {
			b.Values[o*len(row)+i] = int8(v)
		}
	}
	return b
}

// Widen returns the weights as floats.
func (b *Bytes) Widen() *tensor.Tensor {
	t := tensor.New(b.Shape...)
	for o, s := range b.Scale {
		row := t.Row(o)
		for i := range row {
			row[i] = s * float32(b.Values[o*len(row)+i])
		}
	}
	return t
}

// Quantized returns the file with the weights of its encoder's layers as bytes: tensors
// encoder.….weight with two axes, or with four and several input channels.
func (f *File) Quantized() *File {
	quantized := *f
	quantized.Tensors, quantized.Bytes = maps.Clone(f.Tensors), maps.Clone(f.Bytes)
	if quantized.Bytes == nil {
		quantized.Bytes = map[string]*Bytes{}
	}
	for name, t := range f.Tensors {
		layer := len(t.Shape) == 2 || len(t.Shape) == 4 && t.Shape[1] > 1
		if layer && len(t.Data) > 0 && strings.HasPrefix(name, "encoder.") && strings.HasSuffix(name, ".weight") {
			quantized.Bytes[name] = Quantize(t)
			delete(quantized.Tensors, name)
		}
	}
	return &quantized
}

// Widened returns the file with all weights as floats, or f itself.
func (f *File) Widened() *File {
	if len(f.Bytes) == 0 {
		return f
	}
	widened := *f
	widened.Tensors, widened.Bytes = maps.Clone(f.Tensors), nil
	for name, b := range f.Bytes {
		widened.Tensors[name] = b.Widen()
	}
	return &widened
}

// readBytes decodes a quantized tensor with its scales.
func readBytes(e entry, raw []byte, scale *tensor.Tensor) (*Bytes, error) {
	if n := tensor.Len(e.shape); len(e.shape) == 0 || len(raw) != n || !scale.HasShape(e.shape[0]) {
		return nil, fmt.Errorf("%d bytes of shape %v with scales of shape %v, want one for each channel: the file is damaged", len(raw), e.shape, scale.Shape)
	}
	for i, s := range scale.Data {
		if !(s > 0 && s < math.MaxFloat32/(largestByte+1)) {
			return nil, fmt.Errorf("the scale %g of channel %d: want a positive number: the file is damaged", s, i)
		}
	}
	b := &Bytes{Shape: e.shape, Values: make([]int8, len(raw)), Scale: scale.Data}
	for i, v := range raw {
		b.Values[i] = int8(v)
	}
	return b, nil
}
