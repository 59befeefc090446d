// Package tensor is a dense float32 array, a shape and a row-major slice, and the conversion of its
// numbers to halves and to small integers.
package tensor

import "fmt"

// Tensor is a dense, row-major float32 array.
type Tensor struct {
	Shape []int
	Data  []float32 // len(Data) == product of Shape
}

// New returns a zero tensor of the given shape. It panics on a negative extent.
func New(shape ...int) *Tensor {
	return &Tensor{Shape: append([]int(nil), shape...), Data: make([]float32, Len(shape))}
}

// Of returns a tensor over data without copying. It panics if len(data) is not the product of the
// shape.
func Of(data []float32, shape ...int) *Tensor {
	if n := Len(shape); n != len(data) {
		panic(fmt.Sprintf("tensor: %d values for shape %v, which holds %d", len(data), shape, n))
	}
	return &Tensor{Shape: append([]int(nil), shape...), Data: data}
}

// Len returns the number of elements of a shape, 1 for the empty shape. It panics on a negative
// extent and on overflow.
func Len(shape []int) int {
	n := 1
	for _, d := range shape {
		if d < 0 {
			panic(fmt.Sprintf("tensor: negative extent in shape %v", shape))
		}
		p := n * d
		if d != 0 && p/d != n {
			panic(fmt.Sprintf("tensor: shape %v overflows", shape))
		}
		n = p
	}
	return n
}

// HasShape reports whether t has the wanted shape; -1 accepts any extent.
func (t *Tensor) HasShape(want ...int) bool {
	if len(t.Shape) != len(want) {
		return false
	}
	for i, w := range want {
		if w != -1 && t.Shape[i] != w {
			return false
		}
	}
	return true
}

// MustShape panics unless t has the wanted shape; -1 accepts any extent. name describes the value
// in the message.
func (t *Tensor) MustShape(name string, want ...int) {
	if !t.HasShape(want...) {
		panic(fmt.Sprintf("tensor: %s has shape %v, want %v", name, t.Shape, want))
	}
}

// Row returns the i-th slice along the first axis, sharing memory with t.
func (t *Tensor) Row(i int) []float32 {
	n := len(t.Data) / t.Shape[0]
	return t.Data[i*n : (i+1)*n]
}
