// Package weights reads and writes the files of trained networks: safetensors with metadata for
// using the network.
//
// The package implements the format (header, tensors, half floats) and checks the metadata. Package
// internal/backbone interprets the tensors. Callers open files.
//
// Metadata are strings by key, see Meta: arch, widths ("64,160,320,640"), input_size (pixels), mean
// and std ("0.485,0.456,0.406": RGB from 0 to 1), name, trained_on, classes (a JSON list), grid (the
// side to which the last map is averaged), and assumed. assumed ("mean,std", or one of them) marks
// values that were not specified, so that ImageNet's were assumed. Programs should report this, because
// wrong values cost accuracy.
package weights

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Meta describes a network and its preprocessing.
type Meta struct {
	Arch      string            // "resnet12", see package internal/backbone
	Widths    []int             // channels of each block or stage, or of the output
	InputSize int               // side of the square input in pixels
	Mean, Std [3]float32        // normalization of RGB in [0,1]
	TrainedOn string            // dataset and split, for people
	Classes   []string          // names of the training classes; nil if unknown
	Name      string            // short name, for people: "resnet12-s"
	Assumed   []string          // keys of assumed values, AssumedMean or AssumedStd
	Extra     map[string]string // other entries, preserved
}

// File holds a network's weights by name in the reference's state dict
// (encoder.layer1.0.conv1.weight [Cout,Cin,3,3] …).
type File struct {
	Source  string // file name or address, for error messages
	Meta    Meta
	Tensors map[string]*tensor.Tensor
	Bytes   map[string]*Bytes // quantized tensors, which are not in Tensors
}

// Tensor returns the tensor with the given name and shape (-1 for any extent). It shares memory
// with the file, except for a quantized tensor.
//
// # Errors
//
// An absent tensor or another shape. Errors name the file, the tensor and a possible cause.
func (f *File) Tensor(name string, shape ...int) (*tensor.Tensor, error) {
	t, ok := f.Tensors[name]
	if b := f.Bytes[name]; b != nil {
		t, ok = b.Widen(), true
	}
	if !ok {
		if _, ok := f.Tensors["module."+name]; ok {
			return nil, fmt.Errorf("%s: no tensor %s, only module.%s: convert the file with `deepemd import`", f.Source, name, name)
		}
		return nil, fmt.Errorf("%s: no tensor %s among its %d: not a %s file?", f.Source, name, len(f.Tensors)+len(f.Bytes), f.kind())
	}
	if !t.HasShape(shape...) {
		return nil, fmt.Errorf("%s: tensor %s has shape %v, want %v: not a %s file?", f.Source, name, t.Shape, shape, f.kind())
	}
	return t, nil
}

// kind returns the kind of file according to the metadata. Programs may have set the name.
func (f *File) kind() string {
	switch {
	case f.Meta.Arch != "":
		return fmt.Sprintf("%s %v", f.Meta.Arch, f.Meta.Widths)
	case f.Meta.Name != "":
		return f.Meta.Name
	}
	return "complete weights"
}

// Reader reads tensors from a file and keeps the first error. After an error it returns nil.
type Reader struct {
	File   *File
	Prefix string // prefix of all names
	Err    error
}

// Tensor returns a tensor like [File.Tensor]. A tensor without values is an error.
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

// Has reports whether there is a tensor with that name.
func (r *Reader) Has(name string) bool {
	return r.File.Tensors[r.Prefix+name] != nil || r.File.Bytes[r.Prefix+name] != nil
}

// Bytes returns a quantized tensor with the given shape (-1 for any extent), or nil if it is
// absent, of floats or of another shape.
func (r *Reader) Bytes(name string, shape ...int) *Bytes {
	b := r.File.Bytes[r.Prefix+name]
	if r.Err != nil || b == nil || len(b.Values) == 0 || !(&tensor.Tensor{Shape: b.Shape}).HasShape(shape...) {
		return nil
	}
	return b
}

// Shape returns the shape of a tensor, or nil if it is absent.
func (r *Reader) Shape(name string) []int {
	if b := r.File.Bytes[r.Prefix+name]; b != nil {
		return b.Shape
	}
	if t := r.File.Tensors[r.Prefix+name]; t != nil {
		return t.Shape
	}
	return nil
}

// Optional is Tensor, but returns nil for an absent tensor.
func (r *Reader) Optional(name string, shape ...int) *tensor.Tensor {
	if !r.Has(name) {
		return nil
	}
	return r.Tensor(name, shape...)
}

// Values returns the values of a tensor [n], or zeros after an error.
func (r *Reader) Values(name string, n int) []float32 {
	if t := r.Tensor(name, n); t != nil {
		return t.Data
	}
	return make([]float32, n)
}
