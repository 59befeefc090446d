package weights

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
)

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
