package evaluate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/trainer/data"
)

// ReadFeatures reads an array of local embeddings, float32 [pictures, nodes, C], as
// `deepemd features` writes it, and what its list says of the pictures: a set of
// their names and classes, parted by split (see data.OpenSplit; empty for none), that
// the caller closes.
//
// # Errors
//
// Those of reading the array; a list that is absent or has no classes.
func ReadFeatures(path, split string) (Features, *data.Set, *arrays.List, error) {
	array, list, err := arrays.ReadListed(path)
	if errors.Is(err, os.ErrNotExist) && array != nil {
		err = fmt.Errorf(`%w: it says what the rows of %s are, {"names": […], "classes": […]}`, err, path)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if list.Classes == nil {
		return nil, nil, nil, fmt.Errorf("%s: no classes: give the class of every picture, as names are given", arrays.ListPath(path))
	}
	sets, err := arrays.Sets(array, list.Names)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	pictures := make([]data.Picture, len(list.Names))
	for i, name := range list.Names {
		pictures[i] = data.Picture{Class: list.Classes[i], Name: name}
	}
	set, err := data.NamesOnly(filepath.Base(path), pictures, split)
	return sets, set, list, err
}
