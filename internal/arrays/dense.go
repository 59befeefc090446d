// Package arrays hands the trainer's arrays to other programs and takes theirs:
// features, weights and batches as the *tensor.Dense of gorgonia.org/tensor
// (called dense here, since internal/tensor has the name), and as NumPy's files.
//
// A Dense made here lies over the slice that it was made of; nothing is copied
// but where values have to be gathered from several places. What is computed is
// not this room's business: its tests compare the core's arithmetic with
// gorgonia's, which shares no code with it.
//
// NumPy's files are read and written here and not by Dense.ReadNpy and WriteNpy,
// which end a header without the line feed that the format asks for (another
// reader panics at that), take big-endian values for little-endian ones, cannot
// read whole numbers, and believe any shape that a file claims.
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

// Dense returns t as gorgonia's tensor, over the same memory.
//
// # Errors
//
// A tensor without elements, which gorgonia has no form for.
func Dense(t *tensor.Tensor) (*dense.Dense, error) {
	return over(t.Data, t.Shape...)
}

// Labels returns the classes of a batch as gorgonia's tensor [N] of int, over the
// same memory.
//
// # Errors
//
// No labels.
func Labels(labels []int) (*dense.Dense, error) {
	return over(labels, len(labels))
}

// over returns a tensor of values in the order of their indices.
func over[T any](values []T, shape ...int) (*dense.Dense, error) {
	if len(values) == 0 {
		return nil, fmt.Errorf("an array of shape %v has no values", shape)
	}
	return dense.New(dense.WithShape(slices.Clone(shape)...), dense.WithBacking(values)), nil
}

// Tensor returns gorgonia's tensor as one of the core's, over the same memory.
//
// # Errors
//
// Elements other than float32; a view that skips elements, is laid out column by
// column or has a mask.
func Tensor(d *dense.Dense) (*tensor.Tensor, error) {
	if err := plain(d); err != nil {
		return nil, err
	}
	if d.Dtype() != dense.Float32 {
		return nil, fmt.Errorf("an array of %v, want float32: convert it first (in NumPy with .astype('float32'))", d.Dtype())
	}
	return tensor.Of(d.Float32s(), d.Shape()...), nil
}

// plain returns an error unless the values of d lie in memory in the order of
// their indices, without gaps.
func plain(d *dense.Dense) error {
	switch {
	case d.IsMasked():
		return errors.New("an array with a mask: fill in what is masked first")
	case d.RequiresIterator() || !d.DataOrder().IsRowMajor():
		return errors.New("a view that does not lie row by row in memory: copy it first (Materialize)")
	}
	return nil
}

// Pixels returns 8-bit pixels, [N, side, side, 3], as gorgonia's tensor, over the
// same memory.
//
// # Errors
//
// No pixels.
func Pixels(pixels []uint8, n, side int) (*dense.Dense, error) {
	return over(pixels, n, side, side, 3)
}

// Pictures are square pictures as networks take them: 8-bit pixels, or values that
// are normalised already; the other one is nil.
type Pictures struct {
	N, Side int
	Pixels  []uint8   // [N, Side, Side, 3]
	Values  []float32 // [N, Side, Side, 3]
}

// NewPictures returns an array of pictures [N, side, side, 3], or [N, 3, side,
// side] as PyTorch has them, of uint8 or float32. The former lie over the array's
// memory.
//
// # Errors
//
// Another shape, other elements, values that are not finite, and the views that
// [Tensor] refuses.
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
		return nil, fmt.Errorf("an array of shape %v, want pictures: [pictures side side 3] or [pictures 3 side side]", []int(shape))
	}
	p.N = shape[0]
	switch d.Dtype() {
	case dense.Uint8:
		p.Pixels = d.Uint8s()
	case dense.Float32:
		p.Values = d.Float32s()
	default:
		return nil, fmt.Errorf("an array of %v, want pixels of uint8 or normalised values of float32: convert it first", d.Dtype())
	}
	for i, v := range p.Values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("picture %d holds %v: want finite values", i*p.N/len(p.Values), v)
		}
	}
	if planes {
		p.Pixels, p.Values = interleaved(p.Pixels, p.Side), interleaved(p.Values, p.Side)
	}
	return p, nil
}

// interleaved returns pictures [N, 3, side, side] as [N, side, side, 3].
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

// Input returns the network's input of the pictures from the first one given up to
// the last one, exclusively: [last−first, side, side, 3]. Pixels are normalised;
// values are not, and share their memory.
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
