package arrays

import (
	"errors"
	"fmt"
	"slices"

	dense "gorgonia.org/tensor"

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

// Ints returns the values of an array [N] of whole numbers, such as labels.
//
// # Errors
//
// Another shape, elements that are no whole numbers, and the views that Tensor
// refuses.
func Ints(d *dense.Dense) ([]int, error) {
	if err := plain(d); err != nil {
		return nil, err
	}
	if d.Dims() != 1 {
		return nil, fmt.Errorf("an array of shape %v, want one axis", []int(d.Shape()))
	}
	switch d.Dtype() {
	case dense.Int:
		return d.Ints(), nil
	case dense.Int64:
		return widen(d.Int64s()), nil
	case dense.Int32:
		return widen(d.Int32s()), nil
	case dense.Uint8:
		return widen(d.Uint8s()), nil
	}
	return nil, fmt.Errorf("an array of %v, want whole numbers (in NumPy .astype('int64'))", d.Dtype())
}

func widen[T int64 | int32 | uint8](values []T) []int {
	ints := make([]int, len(values))
	for i, v := range values {
		ints[i] = int(v)
	}
	return ints
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
