package onnx

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
