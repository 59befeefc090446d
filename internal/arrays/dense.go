// Package arrays exchanges the trainer's arrays with other programs: features, weights and batches
// as *tensor.Dense of gorgonia.org/tensor (imported as dense, since internal/tensor has the same
// name), and as NumPy files.
//
// A Dense shares the memory of its source; values are copied only when several sources are
// combined. The package does not compute. Its tests compare the core's results with gorgonia's, an
// independent implementation.
//
// The package implements NumPy's format itself. Dense.ReadNpy and WriteNpy omit the line feed at
// the end of the header, which makes other readers panic, misread big-endian values, do not read
// integers, and trust any shape that a file claims.
package arrays

import (
	"errors"
	"fmt"
	"math"
	"slices"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Dense converts t to a gorgonia tensor that shares its memory.
//
// # Errors
//
// A tensor without elements, which gorgonia does not support.
func Dense(t *tensor.Tensor) (*dense.Dense, error) {
	return newDense(t.Data, t.Shape...)
}

// Labels converts the classes of a batch to a gorgonia tensor [N] of int that shares their memory.
// It returns an error for an empty batch.
func Labels(labels []int) (*dense.Dense, error) {
	return newDense(labels, len(labels))
}

func newDense[T any](values []T, shape ...int) (*dense.Dense, error) {
	if len(values) == 0 {
		return nil, fmt.Errorf("an array of shape %v has no values", shape)
	}
	return dense.New(dense.WithShape(slices.Clone(shape)...), dense.WithBacking(values)), nil
}

// Tensor converts a gorgonia tensor to one that shares its memory.
//
// # Errors
//
// Elements other than float32; a view that skips elements, is column-major or has a mask.
func Tensor(d *dense.Dense) (*tensor.Tensor, error) {
	if err := plain(d); err != nil {
		return nil, err
	}
	if d.Dtype() != dense.Float32 {
		return nil, fmt.Errorf("an array of %v, want float32: convert it first (in NumPy with .astype('float32'))", d.Dtype())
	}
	return tensor.Of(d.Float32s(), d.Shape()...), nil
}

// plain returns an error unless the values of d are contiguous and row-major.
func plain(d *dense.Dense) error {
	switch {
	case d.IsMasked():
		return errors.New("an array with a mask: fill in the masked values first")
	case d.RequiresIterator() || !d.DataOrder().IsRowMajor():
		return errors.New("a view that is not contiguous in memory: copy it first (Materialize)")
	}
	return nil
}

// Pixels converts 8-bit pixels, [N, side, side, 3], to a gorgonia tensor that shares their memory.
// It returns an error without pixels.
func Pixels(pixels []uint8, n, side int) (*dense.Dense, error) {
	return newDense(pixels, n, side, side, 3)
}

// Pictures are square images as the input of networks: either 8-bit pixels or normalized values;
// the other field is nil.
type Pictures struct {
	N, Side int
	Pixels  []uint8   // [N, Side, Side, 3]
	Values  []float32 // [N, Side, Side, 3]
}

// NewPictures converts an array of images [N, side, side, 3], or [N, 3, side, side] as in PyTorch,
// of uint8 or float32. The former layout shares the array's memory.
//
// # Errors
//
// Other shapes or elements, values that are not finite, and the views that [Tensor] rejects.
func NewPictures(d *dense.Dense) (*Pictures, error) {
	if err := plain(d); err != nil {
		return nil, err
	}
	shape := d.Shape()
	p, planes := &Pictures{}, false
	switch {
	case len(shape) == 4 && shape[3] == 3 && shape[1] == shape[2]:
		p.Side = shape[1]
	case len(shape) == 4 && shape[1] == 3 && shape[2] == shape[3]:
		p.Side, planes = shape[2], true
	default:
		return nil, fmt.Errorf("an array of shape %v, want images: [images side side 3] or [images 3 side side]", []int(shape))
	}
	p.N = shape[0]
	switch d.Dtype() {
	case dense.Uint8:
		p.Pixels = d.Uint8s()
	case dense.Float32:
		p.Values = d.Float32s()
	default:
		return nil, fmt.Errorf("an array of %v, want pixels of uint8 or normalized values of float32: convert it first", d.Dtype())
	}
	for i, v := range p.Values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("image %d has the value %v: want finite values", i*p.N/len(p.Values), v)
		}
	}
	if planes {
		p.Pixels, p.Values = interleaved(p.Pixels, p.Side), interleaved(p.Values, p.Side)
	}
	return p, nil
}

func interleaved[T any](planes []T, side int) []T {
	if planes == nil {
		return nil
	}
	plane := side * side
	out := make([]T, len(planes))
	for i := range out {
		picture, at := i/(3*plane), i%(3*plane)
		out[i] = planes[picture*3*plane+at%3*plane+at/3]
	}
	return out
}

// Input returns the network's input for images first to last−1: [last−first, side, side, 3]. It
// normalizes pixels; values share their memory.
func (p *Pictures) Input(first, last int, mean, std [3]float32) *tensor.Tensor {
	n, pixels := last-first, p.Side*p.Side*3
	if p.Values != nil {
		return tensor.Of(p.Values[first*pixels:last*pixels], n, p.Side, p.Side, 3)
	}
	input := tensor.New(n, p.Side, p.Side, 3)
	pre := imaging.Preprocess{Size: p.Side, Mean: mean, Std: std}
	for i := range n {
		pix := p.Pixels[(first+i)*pixels:][:pixels]
		pre.Normalize(input.Row(i), &imaging.Image{Width: p.Side, Height: p.Side, Pix: pix})
	}
	return input
}
