package netfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nlpodyssey/gopickle/types"
)

// item is an entry of a Python dict, in the order of the file.
type item struct{ key, value any }

// items returns the entries of a dict or OrderedDict.
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

// stateDict finds the state dict in what was saved: the dict itself when it
// holds tensors, else its first entry of a customary name.
func stateDict(root any) (map[string]*view, error) {
	entries, ok := items(root)
	if !ok {
		return nil, errors.New("the file does not hold a dict: save the weights with torch.save({'params': model.state_dict()}, …)")
	}
	for _, e := range entries {
		if _, ok := e.value.(*view); ok {
			return tensorsOf(entries)
		}
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
	return nil, fmt.Errorf("no state dict under params, state_dict or model; the file has %s", keys(entries))
}

// tensorsOf returns a state dict by its normalised names.
func tensorsOf(entries []item) (map[string]*view, error) {
	state := make(map[string]*view, len(entries))
	for _, e := range entries {
		key, ok := e.key.(string)
		if !ok {
			return nil, fmt.Errorf("the state dict has a key that is no text: %.40v", e.key)
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

// Name returns the name of a tensor without the prefix that data-parallel
// training puts before it.
func TorchName(key string) string { return strings.TrimPrefix(key, "module.") }

// keys lists the first few keys of a dict, for errors.
func keys(entries []item) string {
	if len(entries) == 0 {
		return "no entries"
	}
	var b strings.Builder
	for i, e := range entries {
		if i == 5 {
			fmt.Fprintf(&b, " and %d more", len(entries)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if key, ok := e.key.(string); ok {
			fmt.Fprintf(&b, "%.40q", key)
		} else {
			fmt.Fprintf(&b, "a %T", e.key)
		}
	}
	return b.String()
}
