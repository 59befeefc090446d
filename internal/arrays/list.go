package arrays

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
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

// Features gathers the local embeddings of pictures in one array
// [pictures, nodes, C], in the order of names.
//
// # Errors
//
// No names; a picture that has no features, or others than the first one in
// number of nodes or channels.
func Features(features map[string]*embed.Set, names []string) (*dense.Dense, error) {
	if len(names) == 0 {
		return nil, errors.New("no pictures to gather features of")
	}
	var nodes, channels int
	var values []float32
	for i, name := range names {
		set := features[name]
		if set == nil {
			return nil, fmt.Errorf("%s: no features: extract them first", name)
		}
		if err := set.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if i == 0 {
			nodes, channels = set.N, set.C
			values = make([]float32, 0, len(names)*nodes*channels)
		}
		if set.N != nodes || set.C != channels {
			return nil, fmt.Errorf("%s: %d nodes of %d channels, %s has %d of %d: features of one network fit in an array", name, set.N, set.C, names[0], nodes, channels)
		}
		values = append(values, set.Data...)
	}
	return over(values, len(names), nodes, channels)
}

// Sets returns an array [pictures, nodes, C] as the features of pictures of those
// names. The sets lie over the array's memory, and their nodes have no regions.
//
// # Errors
//
// Another shape, another number of names, a name given twice, values that are not
// finite or the same in every channel, and the arrays that [Tensor] refuses.
func Sets(d *dense.Dense, names []string) (map[string]*embed.Set, error) {
	t, err := Tensor(d)
	if err != nil {
		return nil, err
	}
	if !t.HasShape(len(names), -1, -1) {
		return nil, fmt.Errorf("an array of shape %v for %d names, want [pictures nodes channels]", t.Shape, len(names))
	}
	features := make(map[string]*embed.Set, len(names))
	for i, name := range names {
		if features[name] != nil {
			return nil, fmt.Errorf("%s is named twice", name)
		}
		for _, v := range t.Row(i) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("%s: a feature is %v: want finite values", name, v)
			}
		}
		set := &embed.Set{N: t.Shape[1], C: t.Shape[2], Data: t.Row(i)}
		if err := set.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if set.Flat() {
			return nil, fmt.Errorf("%s: %w", name, embed.ErrFlat)
		}
		features[name] = set
	}
	return features, nil
}

// Embedding says in files and answers how pictures were embedded. The zero value is
// FCN without a pyramid.
type Embedding struct {
	Embedder  string  `json:"embedder,omitempty"`
	Pyramid   []int   `json:"pyramid,omitempty"`
	Grid      []int   `json:"grid,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	Patches   int     `json:"patches,omitempty"`
	PatchSeed uint64  `json:"patchSeed,omitempty"`
}

// EmbeddingOf describes an embedder.
func EmbeddingOf(e method.Embedder) Embedding {
	if e.Kind == method.FCN {
		e.Kind = ""
	}
	return Embedding{Embedder: e.Kind, Pyramid: e.Pyramid, Grid: e.Grid, Ratio: e.Ratio, Patches: e.Patches, PatchSeed: e.Seed}
}

// String says it for people.
func (e Embedding) String() string {
	switch {
	case e.Embedder == method.Grid:
		return fmt.Sprintf("grids %s of ratio %g", numbers(e.Grid), e.Ratio)
	case e.Embedder == method.Sampling:
		return fmt.Sprintf("%d random crops", e.Patches)
	case len(e.Pyramid) > 0:
		return "fcn with pyramid " + numbers(e.Pyramid)
	}
	return method.FCN
}

// numbers are numbers with commas between them.
func numbers(n []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",")
}
