package onnx

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Graph is the graph of a model. Values have names: inputs, weights and outputs of nodes. Nodes
// that pass a value through (Identity, Dropout, Cast to floats) are removed, and their users take
// the value directly.
type Graph struct {
	Nodes    []*Node                   // in topological order
	Inputs   []string                  // without weights
	Tensors  map[string]*tensor.Tensor // float32 and float16 values by name, including constants
	Integers map[string][]int          // int32 and int64 values by name
	Facts    map[string]string         // metadata_props of the model

	users  map[string][]*Node
	makers map[string]*Node
}

// Node is an operator with its inputs and outputs.
type Node struct {
	Op      string // such as Conv; prefixed by its domain and a dot if that is not ONNX's own
	Name    string // may be empty
	Inputs  []string
	Outputs []string

	attributes map[string]attribute
}

type attribute struct {
	float    float32
	integer  int
	integers []int
	floats   []float32
	text     string
	tensor   []byte // a TensorProto
}

// String describes the node in error messages. A nil node is "nothing".
func (n *Node) String() string {
	switch {
	case n == nil:
		return "nothing"
	case n.Name != "":
		return fmt.Sprintf("%.40s %.80q", n.Op, n.Name)
	case len(n.Outputs) > 0:
		return fmt.Sprintf("%.40s that makes %.80q", n.Op, n.Outputs[0])
	}
	return n.Op
}

// Input returns the name of an input, or "".
func (n *Node) Input(i int) string { return at(n.Inputs, i) }

// Output returns the name of the first output, or "".
func (n *Node) Output() string { return at(n.Outputs, 0) }

func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// Int returns an integer attribute, or otherwise if it is absent.
func (n *Node) Int(name string, otherwise int) int {
	if a, ok := n.attributes[name]; ok {
		return a.integer
	}
	return otherwise
}

// Ints returns an integer list attribute, or nil.
func (n *Node) Ints(name string) []int { return n.attributes[name].integers }

// Float returns a float attribute, or otherwise if it is absent.
func (n *Node) Float(name string, otherwise float32) float32 {
	if a, ok := n.attributes[name]; ok {
		return a.float
	}
	return otherwise
}

// Text returns a string attribute, or "".
func (n *Node) Text(name string) string { return n.attributes[name].text }

// Users returns the nodes that take a value, in order, each once, without nodes that only take its
// shape.
func (g *Graph) Users(value string) []*Node { return g.users[value] }

// Maker returns the node that computes a value, or nil for inputs and weights.
func (g *Graph) Maker(value string) *Node { return g.makers[value] }

// Scalar returns the value of a weight with one element; ok is false for other names.
func (g *Graph) Scalar(name string) (v float32, ok bool) {
	t := g.Tensors[name]
	if t == nil || len(t.Data) != 1 {
		return 0, false
	}
	return t.Data[0], true
}

// Describe summarizes the graph for error messages: the most frequent operators with their counts,
// and the names of some weights.
func (g *Graph) Describe() string {
	const most = 12
	counts := map[string]int{}
	for _, n := range g.Nodes {
		counts[n.Op]++
	}
	operators := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	var parts []string
	for _, op := range operators[:min(most, len(operators))] {
		parts = append(parts, fmt.Sprintf("%d %.40s", counts[op], op))
	}
	if left := len(operators) - most; left > 0 {
		parts = append(parts, fmt.Sprintf("%d other operators", left))
	}
	if len(parts) == 0 {
		parts = []string{"no operators"}
	}
	const some = 3
	var names []string
	count := 0
	for _, name := range slices.Sorted(maps.Keys(g.Tensors)) {
		if t := g.Tensors[name]; len(t.Shape) > 0 { // a scalar is not a weight
			if count++; count <= some {
				names = append(names, fmt.Sprintf("%.60q %v", name, t.Shape))
			}
		}
	}
	if count > some {
		names = append(names, fmt.Sprintf("%d more", count-some))
	}
	if len(names) == 0 {
		names = []string{"none of floats"}
	}
	return fmt.Sprintf("%s; weights %s", strings.Join(parts, ", "), strings.Join(names, ", "))
}

// The values of TensorProto.DataType that are read and written.
const (
	typeFloat   = 1
	typeInt32   = 6
	typeInt64   = 7
	typeFloat16 = 10
)

const maxAxes = 8

// values is a TensorProto.
type values struct {
	name     string
	shape    []int
	kind     int
	raw      []byte
	hasRaw   bool
	floats   []float32
	integers []int
}

func readValues(message []byte) (v values, err error) {
	err = each(message, func(f field) (err error) {
		switch f.number {
		case 1:
			v.shape, err = f.integers(v.shape)
		case 2:
			v.kind = int(int32(f.value))
		case 4:
			v.floats, err = f.floats(v.floats)
		case 5, 7: // int32_data, which also stores half floats, and int64_data
			v.integers, err = f.integers(v.integers)
		case 8:
			v.name = string(f.bytes)
		case 9:
			v.raw, v.hasRaw = f.bytes, true
		case 13, 14:
			if f.number == 13 || f.value != 0 {
				err = errors.New("its values are in another file: export with torch.onnx.export(…, external_data=False), or save the model as one file with onnx.save(onnx.load(\"model.onnx\"), \"one.onnx\") in Python")
			}
		}
		return err
	})
	return v, err
}

// add adds the values to the graph under a name. It ignores types other than floats and integers.
func (v *values) add(g *Graph, name string) error {
	count, err := v.count()
	if err != nil {
		return err
	}
	var data []float32
	switch v.kind {
	case typeFloat:
		data, err = decoded(v, count, v.floats, func(x float32) float32 { return x })
	case typeFloat16:
		for _, bits := range v.integers {
			data = append(data, tensor.FromHalf(uint16(bits)))
		}
		data, err = decoded(v, count, data, tensor.FromHalf)
	case typeInt32:
		g.Integers[name], err = decoded(v, count, v.integers, func(x int32) int { return int(x) })
	case typeInt64:
		g.Integers[name], err = decoded(v, count, v.integers, func(x int64) int { return int(x) })
	}
	if err == nil && (v.kind == typeFloat || v.kind == typeFloat16) {
		g.Tensors[name] = tensor.Of(data, v.shape...)
	}
	return err
}

func (v *values) count() (int, error) {
	if len(v.shape) > maxAxes {
		return 0, fmt.Errorf("it has %d axes, want at most %d", len(v.shape), maxAxes)
	}
	count := 1
	for _, extent := range v.shape {
		if extent < 0 || extent > math.MaxInt32 || extent > 0 && count > math.MaxInt32/extent {
			return 0, fmt.Errorf("its shape %v is too large for a file", v.shape)
		}
		count *= extent
	}
	return count, nil
}

// decoded returns the count values of a TensorProto, from raw_data, which has words of type W, or
// else from field.
func decoded[W, T any](v *values, count int, field []T, convert func(W) T) ([]T, error) {
	n, whole := len(field), true
	if size := binary.Size([1]W{}); v.hasRaw {
		n, whole = len(v.raw)/size, len(v.raw)%size == 0
	}
	if n != count || !whole {
		return nil, fmt.Errorf("it has %d values, but its shape %v needs %d: the file is damaged", n, v.shape, count)
	}
	if !v.hasRaw {
		return field, nil
	}
	words := make([]W, count)
	_, err := binary.Decode(v.raw, binary.LittleEndian, words)
	field = make([]T, count)
	for i, word := range words {
		field[i] = convert(word)
	}
	return field, err
}
