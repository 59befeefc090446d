// Package weights reads and writes the files that hold a trained network:
// safetensors, with the facts needed to use the network in its metadata.
//
// The package holds the format (header, tensors, half floats) and the checks of the
// metadata. Package resnet knows what the tensors mean; opening files is up to the
// caller.
//
// The metadata of a file are texts by key, see Meta: arch, widths ("64,160,320,640"),
// input_size (pixels), mean and std ("0.485,0.456,0.406": red, green, blue in 0…1),
// name, trained_on, classes (a JSON list), and assumed. assumed marks a network whose
// mean, std or both ("mean,std") nobody stated, so that they are ImageNet's by
// assumption: whoever uses it should know, as a wrong guess costs accuracy.
package weights

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Meta says how a network is built and how pictures must reach it.
type Meta struct {
	Arch      string            // "resnet12"
	Widths    []int             // channels of the four blocks
	InputSize int               // side in pixels of the square input
	Mean, Std [3]float32        // normalisation of RGB in [0,1]
	TrainedOn string            // data set and split, for people
	Classes   []string          // names of the classes that it learned from; nil where that is not known
	Name      string            // short name, for people: "resnet12-s"
	Assumed   []string          // of mean and std, those that were assumed as nothing states them, by their keys; nil for none
	Extra     map[string]string // any further entries, kept as they are
}

// File is a network's weights in memory by the names of the reference's state dict
// (encoder.layer1.0.conv1.weight [Cout,Cin,3,3] …): float32, but for those that are to be
// computed with as bytes.
type File struct {
	Source  string // where it came from, for error messages: a file name or address
	Meta    Meta
	Tensors map[string]*tensor.Tensor
	Bytes   map[string]*Bytes // nil for none; their names are not among those of Tensors
}

// Tensor returns the tensor of the given name, which must have the given shape
// (-1 for any extent). It shares memory with the file, unless it was widened from bytes.
//
// # Errors
//
// An absent tensor or another shape. Both name the file, the tensor and what the
// file may be instead.
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

// kind is the kind of file that the metadata claim.
func (f *File) kind() string {
	switch {
	case f.Meta.Name != "":
		return f.Meta.Name
	case f.Meta.Arch != "":
		return fmt.Sprintf("%s %v", f.Meta.Arch, f.Meta.Widths)
	}
	return "complete weights"
}

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
