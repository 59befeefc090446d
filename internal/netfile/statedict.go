package netfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nlpodyssey/gopickle/types"

	"github.com/deepemd/deepemd/internal/tensor"
)

type item struct{ key, value any }

func items(value any) ([]item, bool) {
	var entries []item
	switch dict := value.(type) {
	case *types.Dict:
		for _, e := range *dict {
			entries = append(entries, item{e.Key, e.Value})
		}
	case *types.OrderedDict:
		for e := dict.List.Front(); e != nil; e = e.Next() {
			entry := e.Value.(*types.OrderedDictEntry)
			entries = append(entries, item{entry.Key, entry.Value})
		}
	default:
		return nil, false
	}
	return entries, true
}

// stateDict returns the state dict of a saved value: its first entry with a conventional name, or
// else the dict itself. A checkpoint can have other tensors, such as the best accuracy.
func stateDict(root any) (map[string]*view, error) {
	entries, ok := items(root)
	if !ok {
		return nil, errors.New("the file does not hold a dict: save the weights with torch.save({'params': model.state_dict()}, …)")
	}
	for _, name := range []string{"params", "state_dict", "model"} {
		for _, e := range entries {
			if e.key != name {
				continue
			}
			if inner, ok := items(e.value); ok {
				return tensorsOf(inner)
			}
		}
	}
	for _, e := range entries {
		if _, ok := e.value.(*view); ok {
			return tensorsOf(entries)
		}
	}
	return nil, fmt.Errorf("no state dict under params, state_dict or model; the file has %s", keys(entries))
}

// tensorsOf returns a state dict with normalized names.
func tensorsOf(entries []item) (map[string]*view, error) {
	state := make(map[string]*view, len(entries))
	for _, e := range entries {
		key, ok := e.key.(string)
		if !ok {
			return nil, fmt.Errorf("the state dict has a key that is not a string: %.40v", e.key)
		}
		v, ok := e.value.(*view)
		if !ok {
			return nil, fmt.Errorf("the state dict's entry %.80s is not a tensor: save model.state_dict() alone", key)
		}
		name := TorchName(key)
		if _, twice := state[name]; twice {
			return nil, fmt.Errorf("the state dict has %.80s twice, with and without \"module.\"", name)
		}
		state[name] = v
	}
	return state, nil
}

// TorchName returns the name of a tensor without the prefix of data-parallel training.
func TorchName(key string) string { return strings.TrimPrefix(key, "module.") }

// keys lists the first keys of a dict in error messages.
func keys(entries []item) string {
	if len(entries) == 0 {
		return "no entries"
	}
	var keys []string
	for _, e := range entries[:min(5, len(entries))] {
		if key, ok := e.key.(string); ok {
			keys = append(keys, fmt.Sprintf("%.40q", key))
		} else {
			keys = append(keys, fmt.Sprintf("a %T", e.key))
		}
	}
	text := strings.Join(keys, ", ")
	if left := len(entries) - len(keys); left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

// TorchWidths returns the channels of a ResNet-12's four blocks, from the shapes of
// encoder.layer{1..4}.0.conv1.weight, [width, previous width, 3, 3].
//
// # Errors
//
// A convolution that is absent or does not match the previous one.
func TorchWidths(name string, tensors map[string]*tensor.Tensor) ([]int, error) {
	widths := make([]int, 4)
	previous := 3
	for i := range widths {
		conv := fmt.Sprintf("encoder.layer%d.0.conv1.weight", i+1)
		t, ok := tensors[conv]
		if !ok {
			return nil, fmt.Errorf("%s: no tensor %s: not a ResNet-12 of the reference implementation? It has %s", name, conv, listSome(tensors))
		}
		if !t.HasShape(-1, previous, 3, 3) {
			return nil, fmt.Errorf("%s: tensor %s has shape %v, want [width %d 3 3]: not a ResNet-12 of the reference implementation?", name, conv, t.Shape, previous)
		}
		previous = t.Shape[0]
		widths[i] = previous
	}
	return widths, nil
}
