package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Graph is what a model computes. Values have names: inputs, weights and what leaves the
// nodes. A node that passes a value on (Identity, Dropout, Cast to floats) is not there, and
// who took its output takes the value.
type Graph struct {
	Nodes    []*Node                   // each behind those whose outputs it takes
	Inputs   []string                  // without those that are weights
	Tensors  map[string]*tensor.Tensor // float32 and float16, by name, constants among them
	Integers map[string][]int          // int32 and int64, by name
	Facts    map[string]string         // metadata_props of the model

	users  map[string][]*Node
	makers map[string]*Node
}

// Node is an operator with its inputs and outputs.
type Node struct {
	Op      string // such as Conv; of another domain than ONNX's own, the domain and a dot before it
	Name    string // may be empty
	Inputs  []string
	Outputs []string

	attributes map[string]attribute
}

// attribute is the value of an attribute, in the field of its type.
type attribute struct {
	float    float32
	integer  int
	integers []int
	floats   []float32
	text     string
	tensor   []byte // a TensorProto
}

// String names the node for people; nil is nothing.
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

// Input is the name of an input, "" where the node has none there.
func (n *Node) Input(i int) string { return at(n.Inputs, i) }

// Output is the name of an output, "" where the node has none there.
func (n *Node) Output(i int) string { return at(n.Outputs, i) }

func at(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// Int is an attribute that is a number, and otherwise where it is absent.
func (n *Node) Int(name string, otherwise int) int {
	if a, ok := n.attributes[name]; ok {
		return a.integer
	}
	return otherwise
}

// Ints is an attribute that is a list of numbers, nil where it is absent.
func (n *Node) Ints(name string) []int { return n.attributes[name].integers }

// Float is an attribute that is a float, and otherwise where it is absent.
func (n *Node) Float(name string, otherwise float32) float32 {
	if a, ok := n.attributes[name]; ok {
		return a.float
	}
	return otherwise
}

// Text is an attribute that is a text, "" where it is absent.
func (n *Node) Text(name string) string { return n.attributes[name].text }

// Users are the nodes that take a value, in their order, each once.
func (g *Graph) Users(value string) []*Node { return g.users[value] }

// Maker is the node that makes a value, nil for inputs and weights.
func (g *Graph) Maker(value string) *Node { return g.makers[value] }

// Scalar is the one number that a weight holds; ok says whether it does.
func (g *Graph) Scalar(name string) (v float32, ok bool) {
	t := g.Tensors[name]
	if t == nil || len(t.Data) != 1 {
		return 0, false
	}
	return t.Data[0], true
}

// Describe says for people what the graph holds: how many of which operator, the most
// frequent first, and the names of some weights.
func (g *Graph) Describe() string {
	const most = 12
	counts := map[string]int{}
	for _, n := range g.Nodes {
		counts[n.Op]++
	}
	operators := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
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
		if t := g.Tensors[name]; len(t.Shape) > 0 { // a number alone is no weight
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

// TensorProto.DataType, those that are read.
const (
	typeFloat   = 1
	typeInt32   = 6
	typeInt64   = 7
	typeFloat16 = 10
)

// maxAxes bounds the axes of a weight.
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
		case 5, 7: // int32_data, which half floats are in too, and int64_data
			v.integers, err = f.integers(v.integers)
		case 8:
			v.name = string(f.bytes)
		case 9:
			v.raw, v.hasRaw = f.bytes, true
		case 13, 14:
			if f.number == 13 || f.value != 0 {
				err = errors.New("its values lie in another file: export with torch.onnx.export(…, external_data=False), or save the model as one by onnx.save(onnx.load(\"model.onnx\"), \"one.onnx\") in Python")
			}
		}
		return err
	})
	return v, err
}

// add puts the values into the graph under a name. Those that are neither floats nor
// integers are left out.
func (v *values) add(g *Graph, name string) error {
	count, err := v.count()
	if err != nil {
		return err
	}
	switch v.kind {
	case typeFloat, typeFloat16:
		data, err := v.asFloats(count)
		if err != nil {
			return err
		}
		g.Tensors[name] = tensor.Of(data, v.shape...)
	case typeInt32, typeInt64:
		if g.Integers[name], err = v.asIntegers(count); err != nil {
			return err
		}
	}
	return nil
}

// count is the number of values that the shape has.
func (v *values) count() (int, error) {
	if len(v.shape) > maxAxes {
		return 0, fmt.Errorf("it has %d axes, want %d at most", len(v.shape), maxAxes)
	}
	count := 1
	for _, extent := range v.shape {
		if extent < 0 || extent > math.MaxInt32 || extent > 0 && count > math.MaxInt32/extent {
			return 0, fmt.Errorf("its shape is %v, which no file holds", v.shape)
		}
		count *= extent
	}
	return count, nil
}

func (v *values) asFloats(count int) ([]float32, error) {
	width := 4
	if v.kind == typeFloat16 {
		width = 2
	}
	switch {
	case v.hasRaw && len(v.raw) == width*count:
		data := make([]float32, count)
		for i := range data {
			if width == 2 {
				data[i] = weights.FromHalf(binary.LittleEndian.Uint16(v.raw[2*i:]))
			} else {
				data[i] = math.Float32frombits(binary.LittleEndian.Uint32(v.raw[4*i:]))
			}
		}
		return data, nil
	case v.hasRaw:
		return nil, v.mismatch(len(v.raw)/width, count)
	case width == 4 && len(v.floats) == count:
		return v.floats, nil
	case width == 4:
		return nil, v.mismatch(len(v.floats), count)
	case len(v.integers) != count:
		return nil, v.mismatch(len(v.integers), count)
	}
	data := make([]float32, count)
	for i, bits := range v.integers {
		data[i] = weights.FromHalf(uint16(bits))
	}
	return data, nil
}

func (v *values) asIntegers(count int) ([]int, error) {
	if !v.hasRaw {
		if len(v.integers) != count {
			return nil, v.mismatch(len(v.integers), count)
		}
		return v.integers, nil
	}
	width := 8
	if v.kind == typeInt32 {
		width = 4
	}
	if len(v.raw) != width*count {
		return nil, v.mismatch(len(v.raw)/width, count)
	}
	data := make([]int, count)
	for i := range data {
		if width == 4 {
			data[i] = int(int32(binary.LittleEndian.Uint32(v.raw[4*i:])))
		} else {
			data[i] = int(int64(binary.LittleEndian.Uint64(v.raw[8*i:])))
		}
	}
	return data, nil
}

func (v *values) mismatch(got, want int) error {
	return fmt.Errorf("it has %d values, its shape %v wants %d: the file is damaged", got, v.shape, want)
}
