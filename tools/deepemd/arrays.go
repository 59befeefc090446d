package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/format/arrays"
	"github.com/deepemd/deepemd/trainer/format/artifact"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// arrayEnding is that of files with a NumPy array.
const arrayEnding = ".npy"

// arrayList says which pictures an array holds, in its order, and how it was made:
// the JSON file beside F.npy is F.json. Of one that another program made, names
// will do, and classes to draw episodes of.
type arrayList struct {
	Shape   []int  `json:"shape,omitempty"`
	Network string `json:"network,omitempty"`
	Data    string `json:"data,omitempty"`
	Size    int    `json:"size,omitempty"`
	Resize  int    `json:"resize,omitempty"`
	embedding
	Mean    [3]float32 `json:"mean,omitzero"`
	Std     [3]float32 `json:"std,omitzero"`
	Names   []string   `json:"names"`
	Classes []string   `json:"classes,omitempty"` // of the pictures, one each
}

// listPath is the path of the list beside an array.
func listPath(array string) string { return strings.TrimSuffix(array, arrayEnding) + ".json" }

// write writes an array and the list beside it.
func (l arrayList) write(path string, array *dense.Dense) error {
	l.Shape = array.Shape()
	if err := artifact.Write(listPath(path), func(w io.Writer) error { return json.NewEncoder(w).Encode(l) }); err != nil {
		return err
	}
	return artifact.Write(path, func(w io.Writer) error { return arrays.WriteNPY(w, array) })
}

// readArray reads a .npy file and the list beside it, which has a name for each row
// of the array.
//
// # Errors
//
// Those of reading either, which name the file; an absent list is fs.ErrNotExist.
func readArray(path string) (*dense.Dense, *arrayList, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, readable(err)
	}
	defer file.Close()
	array, err := arrays.ReadNPY(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	list, err := readList(listPath(path), array.Shape())
	return array, list, err
}

// readList reads the list of an array.
func readList(path string, shape []int) (*arrayList, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var l arrayList
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, fmt.Errorf(`%s: not a list of pictures, {"names": […], "classes": […]}: %w`, path, err)
	}
	if len(shape) == 0 || len(l.Names) != shape[0] || l.Classes != nil && len(l.Classes) != shape[0] {
		return nil, fmt.Errorf("%s: %d names and %d classes for an array of shape %v: does the list belong to it?", path, len(l.Names), len(l.Classes), shape)
	}
	return &l, nil
}

// readFeatures reads an array of local embeddings, as the command features writes
// it, and what there is of its pictures, which split parts.
func readFeatures(path, split string) (evaluate.Features, *data.Set, *arrayList, error) {
	array, list, err := readArray(path)
	if errors.Is(err, os.ErrNotExist) && array != nil {
		err = fmt.Errorf(`%w: it says what the rows of %s are, {"names": […], "classes": […]}`, err, path)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if list.Classes == nil {
		return nil, nil, nil, fmt.Errorf("%s: no classes: give the class of every picture, as names are given", listPath(path))
	}
	sets, err := arrays.Sets(array, list.Names)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	pictures := make([]data.Picture, len(list.Names))
	for i, name := range list.Names {
		pictures[i] = data.Picture{Class: list.Classes[i], Name: name}
	}
	set, err := data.Named(filepath.Base(path), pictures, split)
	return sets, set, list, err
}

// readPictures reads an array of pictures. Without a list beside it they are called
// by their numbers.
func readPictures(path string) (*arrays.Pictures, *arrayList, error) {
	array, list, err := readArray(path)
	if errors.Is(err, os.ErrNotExist) && array != nil {
		list, err = &arrayList{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	pictures, err := arrays.NewPictures(array)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if list.Names == nil {
		for i := range pictures.N {
			list.Names = append(list.Names, strconv.Itoa(i))
		}
	}
	return pictures, list, nil
}
