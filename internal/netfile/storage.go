package netfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/nlpodyssey/gopickle/types"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// kind is an element type: PyTorch's storage class.
type storageKind struct {
	size    int // bytes of an element
	integer bool
	at      func(raw []byte, i int) float32 // nil for integers
}

// kinds are the storage classes of module torch.
var storageKinds = map[string]*storageKind{
	"FloatStorage": {size: 4, at: func(raw []byte, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}},
	"HalfStorage": {size: 2, at: func(raw []byte, i int) float32 {
		return weights.FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
	}},
	"BFloat16Storage": {size: 2, at: func(raw []byte, i int) float32 {
		return weights.FromBrain(binary.LittleEndian.Uint16(raw[2*i:]))
	}},
	"DoubleStorage": {size: 8, at: func(raw []byte, i int) float32 {
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:])))
	}},
	"LongStorage":  {size: 8, integer: true},
	"IntStorage":   {size: 4, integer: true},
	"ShortStorage": {size: 2, integer: true},
	"CharStorage":  {size: 1, integer: true},
	"ByteStorage":  {size: 1, integer: true},
	"BoolStorage":  {size: 1, integer: true},
}

// storage is a flat array beside the pickle; tensors are views of it.
type storage struct {
	kind *storageKind
	key  string // its name in the container
	n    int    // elements
}

// newStorage reads the tuple by which a pickle refers to a storage:
// ("storage", class, key, location, elements, …).
func newStorage(reference any) (*storage, error) {
	tuple, ok := reference.(*types.Tuple)
	if !ok || tuple.Len() < 5 || tuple.Get(0) != "storage" {
		return nil, errors.New("the pickle refers to something other than a storage")
	}
	id := *tuple
	k, isKind := id[1].(*storageKind)
	key, isKey := id[2].(string)
	n, isCount := id[4].(int)
	if !isKind || !isKey || !isCount || n < 0 {
		return nil, errors.New("the pickle's reference to a storage is malformed")
	}
	if len(id) > 5 && id[5] != nil {
		return nil, errors.New("a storage is a view of another, as before PyTorch 0.4: load and save it with a newer PyTorch")
	}
	return &storage{kind: k, key: key, n: n}, nil
}

// byteSize is the storage's size, or an error when no network needs as much.
func (s *storage) byteSize() (int, error) {
	if s.n > maxElements {
		return 0, fmt.Errorf("storage of %d values, want at most %d: not a network of this kind", s.n, maxElements)
	}
	return s.n * s.kind.size, nil
}

// view is a tensor as PyTorch keeps it: element (i, j, …) is number
// offset + i·stride[0] + j·stride[1] + … of its storage.
type view struct {
	storage      *storage
	offset       int
	size, stride []int
}

// elements returns the number of elements, at most the storage's.
//
// # Errors
//
// Sizes or strides that are negative or reach outside the storage, and views
// that repeat elements (expanded tensors), which no state dict needs and which
// make any size out of few bytes.
func (v *view) elements() (int, error) {
	limit := v.storage.n
	if len(v.size) != len(v.stride) || v.offset < 0 {
		return 0, fmt.Errorf("shape %v, stride %v and offset %d do not go together: the file is damaged", v.size, v.stride, v.offset)
	}
	n, last := 1, v.offset
	for i, d := range v.size {
		if d < 0 || v.stride[i] < 0 {
			return 0, fmt.Errorf("impossible shape %v or stride %v: the file is damaged", v.size, v.stride)
		}
		if d == 0 {
			return 0, nil
		}
		if n > limit/d {
			return 0, fmt.Errorf("shape %v is more than its storage of %d values: save it with .contiguous()", v.size, limit)
		}
		n *= d
		if d > 1 {
			if v.stride[i] > limit/(d-1) {
				return 0, v.outside()
			}
			if last += (d - 1) * v.stride[i]; last >= limit {
				return 0, v.outside()
			}
		}
	}
	if last >= limit {
		return 0, v.outside()
	}
	return n, nil
}

func (v *view) outside() error {
	return fmt.Errorf("shape %v with stride %v from %d reaches outside its storage of %d values: the file is damaged", v.size, v.stride, v.offset, v.storage.n)
}

// read copies the view into a row-major tensor; elements has checked it.
func (v *view) read(c container) (*tensor.Tensor, error) {
	raw, err := c.bytes(v.storage)
	if err != nil {
		return nil, err
	}
	t := tensor.New(v.size...)
	index := make([]int, len(v.size))
	from := v.offset
	for i := range t.Data {
		t.Data[i] = v.storage.kind.at(raw, from)
		for axis := len(index) - 1; axis >= 0; axis-- { // step to the next element
			index[axis]++
			from += v.stride[axis]
			if index[axis] < v.size[axis] {
				break
			}
			from -= index[axis] * v.stride[axis]
			index[axis] = 0
		}
	}
	return t, nil
}
