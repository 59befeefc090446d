package netfile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/nlpodyssey/gopickle/pickle"
	"github.com/nlpodyssey/gopickle/types"
)

// unpickle reads the pickle that fills data. References to storages become
// *storage, tensors become *view; the rest are gopickle's containers. The
// storages come back by key as well.
func unpickle(data []byte) (value any, storages map[string]*storage, err error) {
	// gopickle indexes and asserts without looking where a pickle contradicts
	// itself (a dict of unhashable keys, an odd number of items).
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

// call adapts a function to what a pickle can call.
type call func(args []any) (any, error)

// Call implements types.Callable.
func (c call) Call(args ...any) (any, error) { return c(args) }

// findClass returns what a pickle may call or refer to by name.
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
	return nil, fmt.Errorf("it asks for the class %.60s.%.60s; only tensors in plain dicts are read: save the weights alone, with torch.save({'params': model.state_dict()}, …)", module, name)
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

// ints returns the values of a tuple of at most eight integers.
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
