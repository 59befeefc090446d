// Package torch reads the weights out of PyTorch's .pth files, the form in
// which the reference implementation keeps its networks.
//
// A .pth file is a Python pickle that refers to arrays stored beside it. Only
// plain containers and tensors are understood: a pickle that asks for any
// other class is refused, and nothing in a file is ever executed. Both
// containers are read, the zip archive written since PyTorch 1.6 and the
// sequence of pickles before it. Writing is not offered: the project's own
// format is safetensors (core/weights).
package netfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// container hands out the arrays that the pickle of a file refers to.
type container interface {
	// root is the value that was saved.
	root() (any, error)
	// bytes returns the content of a storage, little endian.
	bytes(s *storage) ([]byte, error)
}

// Load reads the state dict of a .pth file: the value that was saved, or its
// entry "params", "state_dict" or "model". Keys lose the prefix "module." of
// data-parallel training; values become float32. Integer tensors, such as
// batch normalisation's num_batches_tracked, are left out. The name opens
// every error.
//
// # Errors
//
// A file that is not PyTorch's or is damaged, a pickle that asks for anything
// but tensors and plain containers, no state dict in it, entries that are not
// tensors, NaN or infinite values.
func LoadTorch(name string, r io.ReaderAt, size int64) (map[string]*tensor.Tensor, error) {
	tensors, err := load(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return tensors, nil
}

func load(r io.ReaderAt, size int64) (map[string]*tensor.Tensor, error) {
	c, err := open(r, size)
	if err != nil {
		return nil, err
	}
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	state, err := stateDict(root)
	if err != nil {
		return nil, err
	}
	return materialise(c, state)
}

// open recognises the container by the file's first bytes.
func open(r io.ReaderAt, size int64) (container, error) {
	magic := make([]byte, min(size, int64(len(legacyMagic))))
	if _, err := r.ReadAt(magic, 0); err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return openZip(r, size)
	case bytes.Equal(magic, legacyMagic):
		return openLegacy(r, size)
	case bytes.HasPrefix(magic, []byte("<")):
		return nil, errors.New("this is a web page, not a PyTorch file: is the address right?")
	}
	return nil, errors.New("neither of PyTorch's file forms: was it written by torch.save?")
}

// maxElements bounds the tensors of one file together: ten times a full-width
// ResNet-12, which has twelve million.
const maxElements = 1 << 27

// materialise reads the tensors of a state dict.
func materialise(c container, state map[string]*view) (map[string]*tensor.Tensor, error) {
	tensors := make(map[string]*tensor.Tensor, len(state))
	total := 0
	for _, name := range slices.Sorted(maps.Keys(state)) {
		v := state[name]
		if v.storage.kind.integer {
			continue
		}
		n, err := v.elements()
		if err == nil {
			if total += n; total > maxElements {
				err = fmt.Errorf("more than %d values in the file: not a network of this kind", maxElements)
			}
		}
		var t *tensor.Tensor
		if err == nil {
			t, err = v.read(c)
		}
		if err == nil {
			err = weights.CheckFinite(t)
		}
		if err != nil {
			return nil, fmt.Errorf("tensor %.80s: %w", name, err)
		}
		tensors[name] = t
	}
	if len(tensors) == 0 {
		return nil, errors.New("the state dict holds no floating-point tensor")
	}
	return tensors, nil
}
