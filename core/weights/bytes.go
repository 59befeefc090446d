package weights

import (
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
// [Feedback].
func Quantize(t *tensor.Tensor) *Bytes {
	b := &Bytes{Shape: slices.Clone(t.Shape), Values: make([]int8, len(t.Data)), Scale: make([]float32, t.Shape[0])}
	var feedback *Feedback
	if len(t.Shape) == 4 && t.Shape[2] == 3 && t.Shape[3] == 3 {
		feedback = NewFeedback()
	}
	whole := make([]float32, len(t.Data)/t.Shape[0])
	for o := range b.Scale {
		row := t.Row(o)
		largest := 0.0
		for _, w := range row {
			largest = max(largest, math.Abs(float64(w)))
		}
		b.Scale[o] = float32(largest / largestByte)
		if b.Scale[o] == 0 {
			b.Scale[o] = 1 // all zeros, or nearly
		}
		scale := 1 / float64(b.Scale[o])
		if feedback != nil {
			for c := 0; c < len(row); c += taps {
				feedback.Round(whole[c:c+taps], row[c:c+taps], scale, largestByte)
			}
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
	if n := e.elements(); len(e.shape) == 0 || len(raw) != n || !scale.HasShape(e.shape[0]) {
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

// taps is the number of weights of a 3×3 filter per channel.
const taps = 9

// correlation is the assumed correlation of neighboring pixels of a map; at distance d it is
// correlation^d. Rounded networks are most accurate with 0.8 to 0.9. The error is a tenth larger
// with 0.6, and two to three times as large with 0.
const correlation = 0.85

// Feedback holds the factors of error feedback in a 3×3 filter: Feedback[i][j] of the error at tap
// i is compensated by tap j > i.
type Feedback [taps][taps]float64

// Round rounds the weights of a 3×3 filter on one channel to integers from -most to most. Later
// taps compensate the rounding error of each tap in proportion to the correlation of their pixels,
// so that the response to smooth maps has a small error. This is the optimal feedback (Frantar et
// al., GPTQ, 2023) for an assumed correlation instead of measured inputs, so it needs no pictures.
func (f *Feedback) Round(to, from []float32, scale, most float64) {
	var wanted [taps]float64
	for i, w := range from {
		wanted[i] = float64(w) * scale
	}
	for i := range taps {
		w := wanted[i] // including the feedback of earlier taps
		whole := max(-most, min(most, math.RoundToEven(w)))
		to[i] = float32(whole)
		for j := i + 1; j < taps; j++ {
			wanted[j] += (w - whole) * f[i][j]
		}
	}
}

// NewFeedback computes the regression of each tap's pixel on the pixels of later taps.
func NewFeedback() *Feedback {
	var f Feedback
	alike := func(i, j int) float64 {
		return math.Pow(correlation, math.Hypot(float64(i/3-j/3), float64(i%3-j%3)))
	}
	for i := range taps - 1 {
		var system [taps][taps + 1]float64 // equations of the taps after i, right-hand side last
		for r := i + 1; r < taps; r++ {
			for c := i + 1; c < taps; c++ {
				system[r][c] = alike(r, c)
			}
			system[r][taps] = alike(r, i)
		}
		for p := i + 1; p < taps; p++ {
			for r := i + 1; r < taps; r++ {
				if r == p {
					continue
				}
				factor := system[r][p] / system[p][p]
				for c := p; c <= taps; c++ {
					system[r][c] -= factor * system[p][c]
				}
			}
		}
		for j := i + 1; j < taps; j++ {
			f[i][j] = system[j][taps] / system[j][j]
		}
	}
	return &f
}
