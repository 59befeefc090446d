package arrays

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// Ending is that of files with a NumPy array.
const Ending = ".npy"

// List says which pictures an array holds, in its order, and how it was made: the
// JSON file beside F.npy is F.json. Of an array that another program made, names
// will do, and classes to draw episodes of.
type List struct {
	Shape   []int  `json:"shape,omitempty"`
	Network string `json:"network,omitempty"`
	Data    string `json:"data,omitempty"`
	Size    int    `json:"size,omitempty"`   // pixels, of the network's input
	Resize  int    `json:"resize,omitempty"` // pixels, before the centre is cut out
	Views   string `json:"views,omitempty"`  // of a picture, whose maps were averaged
	Embedding
	Mean    [3]float32 `json:"mean,omitzero"`
	Std     [3]float32 `json:"std,omitzero"`
	Names   []string   `json:"names"`
	Classes []string   `json:"classes,omitempty"` // of the pictures, one each
}

// ListPath is the path of the list beside an array.
func ListPath(array string) string { return strings.TrimSuffix(array, Ending) + ".json" }

// Write writes an array and the list beside it, whose shape it sets.
func (l List) Write(path string, array *dense.Dense) error {
	l.Shape = array.Shape()
	if err := l.WriteBeside(path); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return WriteNPY(w, array) })
}

// WriteBeside writes the list alone, beside an array of that path.
func (l List) WriteBeside(path string) error {
	return atomicfile.Write(ListPath(path), func(w io.Writer) error { return json.NewEncoder(w).Encode(l) })
}

// ReadListed reads a .npy file and the list beside it, which has a name for each row
// of the array.
//
// # Errors
//
// Those of reading either, which name the file. Where the list alone is absent, the
// array comes with an error that is fs.ErrNotExist.
func ReadListed(path string) (*dense.Dense, *List, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: is the path right?", err)
	}
	defer file.Close()
	array, err := ReadNPY(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	list, err := readList(ListPath(path), array.Shape())
	return array, list, err
}

// readList reads the list of an array.
func readList(path string, shape []int) (*List, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var l List
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, fmt.Errorf(`%s: not a list of pictures, {"names": […], "classes": […]}: %w`, path, err)
	}
	if len(shape) == 0 || len(l.Names) != shape[0] || l.Classes != nil && len(l.Classes) != shape[0] {
		return nil, fmt.Errorf("%s: %d names and %d classes for an array of shape %v: does the list belong to it?", path, len(l.Names), len(l.Classes), shape)
	}
	return &l, nil
}

// ReadPictures reads an array of pictures. Without a list beside it they are called
// by their numbers.
func ReadPictures(path string) (*Pictures, *List, error) {
	array, list, err := ReadListed(path)
	if errors.Is(err, os.ErrNotExist) && array != nil {
		list, err = &List{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	pictures, err := NewPictures(array)
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
