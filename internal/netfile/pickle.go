package netfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/nlpodyssey/gopickle/pickle"
	"github.com/nlpodyssey/gopickle/types"

	"github.com/deepemd/deepemd/internal/tensor"
)

// unpickle reads a pickle. References to storages become *storage, tensors become *view; the rest
// are gopickle's containers. It also returns the storages by key.
func unpickle(data []byte) (value any, storages map[string]*storage, err error) {
	// gopickle panics on inconsistent pickles, such as dicts with unhashable keys or an odd number
	// of items.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the pickle contradicts itself (%v): the file is damaged", r)
		}
	}()
	storages = make(map[string]*storage)
	u := pickle.NewUnpickler(bytes.NewReader(data))
	u.FindClass = findClass
	u.PersistentLoad = func(id any) (any, error) {
		s, err := newStorage(id)
		if err != nil {
			return nil, err
		}
		if known := storages[s.key]; known != nil {
			if *known != *s {
				return nil, fmt.Errorf("storage %.20q has two types or sizes: the file is damaged", s.key)
			}
			return known, nil
		}
		storages[s.key] = s
		return s, nil
	}
	value, err = u.Load()
	if err != nil {
		return nil, nil, fmt.Errorf("unreadable pickle: %w", err)
	}
	return value, storages, nil
}

// call is a function that a pickle can call.
type call func(args []any) (any, error)

// Call implements types.Callable.
func (c call) Call(args ...any) (any, error) { return c(args) }

// findClass returns the classes and functions that a pickle may use.
func findClass(module, name string) (any, error) {
	switch module {
	case "torch":
		if k, ok := storageKinds[name]; ok {
			return k, nil
		}
	case "torch._utils":
		switch name {
		case "_rebuild_tensor", "_rebuild_tensor_v2":
			return call(rebuildTensor), nil
		case "_rebuild_parameter":
			return call(rebuildParameter), nil
		}
	}
	return nil, fmt.Errorf("it uses the class %.60s.%.60s; only tensors in plain dicts are supported: save the weights alone, with torch.save({'params': model.state_dict()}, …)", module, name)
}

// rebuildTensor is torch._utils._rebuild_tensor_v2(storage, offset, size, stride, …).
func rebuildTensor(args []any) (any, error) {
	if len(args) < 4 {
		return nil, errors.New("a tensor lacks storage, offset, shape or stride")
	}
	s, isStorage := args[0].(*storage)
	offset, isInt := args[1].(int)
	size, isSize := ints(args[2])
	stride, isStride := ints(args[3])
	if !isStorage || !isInt || !isSize || !isStride {
		return nil, errors.New("a tensor's storage, offset, shape or stride is malformed")
	}
	return &view{storage: s, offset: offset, size: size, stride: stride}, nil
}

// rebuildParameter is torch._utils._rebuild_parameter(tensor, requires_grad, hooks).
func rebuildParameter(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("a parameter lacks its tensor")
	}
	v, ok := args[0].(*view)
	if !ok {
		return nil, errors.New("a parameter is not a tensor")
	}
	return v, nil
}

func ints(value any) ([]int, bool) {
	tuple, ok := value.(*types.Tuple)
	if !ok || tuple.Len() > 8 {
		return nil, false
	}
	values := make([]int, tuple.Len())
	for i, v := range *tuple {
		if values[i], ok = v.(int); !ok {
			return nil, false
		}
	}
	return values, true
}

// storageKind is an element type: PyTorch's storage class.
type storageKind struct {
	size    int // bytes of an element
	integer bool
	at      func(raw []byte, i int) float32 // nil for integers
}

var storageKinds = map[string]*storageKind{
	"FloatStorage": {size: 4, at: func(raw []byte, i int) float32 {
		return math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}},
	"HalfStorage": {size: 2, at: func(raw []byte, i int) float32 {
		return tensor.FromHalf(binary.LittleEndian.Uint16(raw[2*i:]))
	}},
	"BFloat16Storage": {size: 2, at: func(raw []byte, i int) float32 {
		return tensor.FromBrain(binary.LittleEndian.Uint16(raw[2*i:]))
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

// storage is a flat array outside the pickle that tensors refer to.
type storage struct {
	kind *storageKind
	key  string // its name in the container
	n    int    // elements
}

// newStorage reads a pickle's reference to a storage: ("storage", class, key, location, elements,
// …).
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

// byteSize returns the storage's size, or an error if it is too large for a network.
func (s *storage) byteSize() (int, error) {
	if s.n > maxElements {
		return 0, fmt.Errorf("storage of %d values, want at most %d: not a supported network", s.n, maxElements)
	}
	return s.n * s.kind.size, nil
}

// view is a tensor as in PyTorch: element (i, j, …) is element offset + i·stride[0] + j·stride[1] +
// … of its storage.
type view struct {
	storage      *storage
	offset       int
	size, stride []int
}

// elements returns the number of elements, at most the storage's.
//
// # Errors
//
// Sizes or strides that are negative or reach outside the storage, and views that repeat elements
// (expanded tensors): state dicts do not require them, and few bytes could claim any size.
func (v *view) elements() (int, error) {
	limit := v.storage.n
	if len(v.size) != len(v.stride) || v.offset < 0 {
		return 0, fmt.Errorf("shape %v, stride %v and offset %d do not match: the file is damaged", v.size, v.stride, v.offset)
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
			return 0, fmt.Errorf("shape %v exceeds its storage of %d values: save it with .contiguous()", v.size, limit)
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

// read copies the view from the content of its storage to a row-major tensor, after elements has
// checked it.
func (v *view) read(raw []byte) *tensor.Tensor {
	t := tensor.New(v.size...)
	index := make([]int, len(v.size))
	from := v.offset
	for i := range t.Data {
		t.Data[i] = v.storage.kind.at(raw, from)
		for axis := len(index) - 1; axis >= 0; axis-- {
			index[axis]++
			from += v.stride[axis]
			if index[axis] < v.size[axis] {
				break
			}
			from -= index[axis] * v.stride[axis]
			index[axis] = 0
		}
	}
	return t
}

// maxPickle limits the size of a pickle. A ResNet-12's takes about 11 kB.
const maxPickle = 1 << 20

// The opcodes of a pickled state dict, grouped according to their arguments. gopickle allocates the
// memory that an argument requests before it checks the size of the file, and some opcodes are only
// useful for attacks. scan therefore checks the pickle first.
const (
	noArgument = ")t\x85\x86\x87}]aesuN\x88\x89(.RbQ\x81\x93\x94"
	oneByte    = "\x80Kqh"
	twoBytes   = "M"
	fourBytes  = "Jrj"
	eightBytes = "G"
	counted1   = "U\x8a\x8c" // 1-byte length, then the bytes
	counted4   = "TX"        // 4-byte length, then the bytes
	counted8   = "\x95"      // 8-byte length, then opcodes
	twoLines   = "c"
)

// scan returns the length of the pickle at the start of data.
//
// # Errors
//
// An opcode that state dicts do not require, or an argument that exceeds data.
func scan(data []byte) (int, error) {
	at := 0
	for at < len(data) {
		op := data[at]
		at++
		n, err := argument(op, data[at:])
		if err != nil {
			return 0, fmt.Errorf("pickle, byte %d: %w", at-1, err)
		}
		at += n
		if op == '.' {
			return at, nil
		}
	}
	return 0, errors.New("the pickle has no end: is the file complete?")
}

// argument returns the length of op's argument at the start of rest.
func argument(op byte, rest []byte) (int, error) {
	in := func(ops string) bool { return bytes.IndexByte([]byte(ops), op) >= 0 }
	n := uint64(0)
	switch {
	case in(noArgument):
	case in(oneByte):
		n = 1
	case in(twoBytes):
		n = 2
	case in(fourBytes):
		n = 4
	case in(eightBytes):
		n = 8
	case in(counted1) && len(rest) >= 1:
		n = 1 + uint64(rest[0])
		if op == '\x8a' && rest[0] == 0 {
			return 0, errors.New("integer without digits")
		}
	case in(counted4) && len(rest) >= 4:
		n = 4 + uint64(binary.LittleEndian.Uint32(rest))
	case in(counted8) && len(rest) >= 8:
		if binary.LittleEndian.Uint64(rest) > uint64(len(rest)-8) {
			return 0, errCutOff
		}
		n = 8 // the frame's content is scanned next
	case in(twoLines):
		first := bytes.IndexByte(rest, '\n')
		second := bytes.IndexByte(rest[first+1:], '\n')
		if first < 0 || second < 0 {
			return 0, errCutOff
		}
		n = uint64(first + second + 2)
	case in(counted1 + counted4 + counted8):
		return 0, errCutOff
	default:
		return 0, fmt.Errorf("opcode %#02x does not occur in tensors: only weights saved as a state dict are supported", op)
	}
	if n > uint64(len(rest)) {
		return 0, errCutOff
	}
	return int(n), nil
}

var errCutOff = errors.New("an argument is cut off: is the file complete?")
