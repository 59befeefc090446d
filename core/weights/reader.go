package weights

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Reader takes tensors from a file, one after the other, and keeps the first error, after
// which everything is nil.
type Reader struct {
	File   *File
	Prefix string // of all names
	Err    error
}

// Tensor returns a tensor of a shape, as [File.Tensor] does. One without values is an
// error: no layer could run with it.
func (r *Reader) Tensor(name string, shape ...int) *tensor.Tensor {
	if r.Err != nil {
		return nil
	}
	t, err := r.File.Tensor(r.Prefix+name, shape...)
	if err == nil && len(t.Data) == 0 {
		err = fmt.Errorf("%s: tensor %s%s has shape %v and no values: the file is damaged", r.File.Source, r.Prefix, name, t.Shape)
	}
	if r.Err = err; err != nil {
		return nil
	}
	return t
}

// Has reports whether there is a tensor of that name.
func (r *Reader) Has(name string) bool {
	return r.File.Tensors[r.Prefix+name] != nil || r.File.Bytes[r.Prefix+name] != nil
}

// Bytes returns a tensor of bytes of a shape, -1 for any extent; nil where it has others,
// is of floats or is not there.
func (r *Reader) Bytes(name string, shape ...int) *Bytes {
	b := r.File.Bytes[r.Prefix+name]
	if r.Err != nil || b == nil || len(b.Values) == 0 || !(&tensor.Tensor{Shape: b.Shape}).HasShape(shape...) {
		return nil
	}
	return b
}

// Shape is the shape of the tensor of that name, nil where there is none.
func (r *Reader) Shape(name string) []int {
	if b := r.File.Bytes[r.Prefix+name]; b != nil {
		return b.Shape
	}
	if t := r.File.Tensors[r.Prefix+name]; t != nil {
		return t.Shape
	}
	return nil
}

// Optional is Tensor for one that may be absent: then it returns nil.
func (r *Reader) Optional(name string, shape ...int) *tensor.Tensor {
	if !r.Has(name) {
		return nil
	}
	return r.Tensor(name, shape...)
}

// Values returns the n values of a tensor [n], zeros after an error.
func (r *Reader) Values(name string, n int) []float32 {
	if t := r.Tensor(name, n); t != nil {
		return t.Data
	}
	return make([]float32, n)
}
