package arrays

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// Ending is the extension of NumPy files.
const Ending = ".npy"

// List describes the images of an array, in order, and how it was made. The list of F.npy is in
// F.json. For arrays of other programs, names are enough, and classes for drawing episodes.
type List struct {
	Shape   []int  `json:"shape,omitempty"`
	Network string `json:"network,omitempty"`
	Data    string `json:"data,omitempty"`
	Size    int    `json:"size,omitempty"`   // input of the network in pixels
	Resize  int    `json:"resize,omitempty"` // size before the center crop, in pixels
	Mirror  bool   `json:"mirror,omitempty"` // the maps of an image and of its mirror image were averaged
	Embedding
	Mean    [3]float32 `json:"mean,omitzero"`
	Std     [3]float32 `json:"std,omitzero"`
	Names   []string   `json:"names"`
	Classes []string   `json:"classes,omitempty"` // class of each image
}

// ListPath returns the path of an array's list.
func ListPath(array string) string { return strings.TrimSuffix(array, Ending) + ".json" }

// Write writes an array and its list, whose shape it sets.
func (l List) Write(path string, array *dense.Dense) error {
	l.Shape = array.Shape()
	// The array fills a disk sooner than its list.
	if err := atomicfile.Write(path, func(w io.Writer) error { return WriteNPY(w, array) }); err != nil {
		return err
	}
	return l.WriteBeside(path)
}

// WriteBeside writes only the list of the array at path.
func (l List) WriteBeside(path string) error {
	return atomicfile.Write(ListPath(path), func(w io.Writer) error { return json.NewEncoder(w).Encode(l) })
}

// ReadListed reads a .npy file and its list, which has a name for each row of the array.
//
// # Errors
//
// Errors of both files, with the file's name. If only the list is absent, ReadListed returns the
// array and an error that is fs.ErrNotExist.
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

func readList(path string, shape []int) (*List, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err // an array may have no list
	}
	raw, err := namedfile.Read(path, namedfile.MaxText)
	if err != nil {
		return nil, err
	}
	var l List
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, fmt.Errorf(`%s: not a list of images, {"names": […], "classes": […]}: %w`, path, err)
	}
	if len(shape) == 0 || len(l.Names) != shape[0] || l.Classes != nil && len(l.Classes) != shape[0] {
		return nil, fmt.Errorf("%s: %d names and %d classes for an array of shape %v: does the list belong to it?", path, len(l.Names), len(l.Classes), shape)
	}
	if l.Shape != nil && !slices.Equal(l.Shape, shape) {
		return nil, fmt.Errorf("%s: the list of an array of shape %v for one of shape %v: does it belong to the array?", path, l.Shape, shape)
	}
	return &l, nil
}

// ReadPictures reads an array of images. Without a list, their names are numbers.
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

// Features combines the local embeddings of images to one array [images, nodes, C], in the order of
// names.
//
// # Errors
//
// No names; an image without features, or with a different number of nodes or channels than the
// first one.
func Features(features map[string]*embed.Set, names []string) (*dense.Dense, error) {
	if len(names) == 0 {
		return nil, errors.New("no images to compute features of")
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
			return nil, fmt.Errorf("%s: features of %d×%d, %s has %d×%d: an array holds features of one network", name, set.N, set.C, names[0], nodes, channels)
		}
		values = append(values, set.Data...)
	}
	return newDense(values, len(names), nodes, channels)
}

// Sets converts an array [images, nodes, C] to the features of the named images. The sets share the
// array's memory, and their nodes have no regions.
//
// # Errors
//
// Other shapes or numbers of names, duplicate names, values that are not finite or equal in every
// channel, and the arrays that [Tensor] rejects.
func Sets(d *dense.Dense, names []string) (map[string]*embed.Set, error) {
	t, err := Tensor(d)
	if err != nil {
		return nil, err
	}
	if !t.HasShape(len(names), -1, -1) {
		return nil, fmt.Errorf("an array of shape %v for %d names, want [images nodes channels]", t.Shape, len(names))
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

// Embedding describes in files and results how images were embedded. The zero value is FCN without
// a pyramid.
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

// String describes the embedding in words.
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

func numbers(n []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",")
}
