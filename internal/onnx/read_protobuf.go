package onnx

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/tensor"
)

// oldest is the first supported opset. Earlier ones define operators differently.
const oldest = 11

// maxNodes limits the operators of a model. The deepest networks have a tenth as many.
const maxNodes = 1 << 16

// decodeGraph reads a model. The size of the data limits the memory that it allocates.
//
// # Errors
//
// Data that are not a complete model, opsets before 11, external weights, weights that do not match
// their shapes, nodes whose inputs are not computed before, and values that two nodes compute.
func decodeGraph(data []byte) (*Graph, error) {
	g := &Graph{
		Tensors: map[string]*tensor.Tensor{}, Integers: map[string][]int{}, Facts: map[string]string{},
		users: map[string][]*Node{}, makers: map[string]*Node{},
	}
	if name, remedy := filekind.Of(data); remedy != "" {
		return nil, fmt.Errorf("%s, not a model: %s", name, remedy)
	}
	var body []byte
	version := 0
	err := each(data, func(f field) error {
		switch f.number {
		case 7:
			if body != nil {
				return errors.New("two graphs: the file is damaged")
			}
			body = f.bytes
		case 8:
			domain, v, err := entry(f.bytes) // OperatorSetIdProto
			if domain == "" || domain == "ai.onnx" {
				version = int(min(v.value, math.MaxInt32))
			}
			return err
		case 14:
			key, v, err := entry(f.bytes) // StringStringEntryProto
			g.Facts[key] = string(v.bytes)
			return err
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case body == nil:
		return nil, errors.New("no graph: not an ONNX model, or an incomplete one")
	case version < oldest:
		return nil, fmt.Errorf("opset %d: export the model with opset %d or later, for example opset_version=13", version, oldest)
	}
	if err := g.read(body); err != nil {
		return nil, err
	}
	return g, nil
}

// entry reads a message whose field 1 is a text, and returns that and field 2.
func entry(message []byte) (text string, second field, err error) {
	err = each(message, func(f field) error {
		switch f.number {
		case 1:
			text = string(f.bytes)
		case 2:
			second = f
		}
		return nil
	})
	return text, second, err
}

type reading struct {
	*Graph
	same map[string]string // aliases of other values
	made map[string]bool   // values that exist so far
}

// read reads a GraphProto: the weights first, since nodes may precede them.
func (g *Graph) read(body []byte) error {
	r := reading{Graph: g, same: map[string]string{}, made: map[string]bool{"": true}}
	var inputs []string
	err := each(body, func(f field) error {
		switch f.number {
		case 5:
			return r.weight(f.bytes)
		case 11:
			name, _, err := entry(f.bytes) // ValueInfoProto
			inputs = append(inputs, name)
			return err
		case 15:
			return errors.New("sparse weights: export the model with dense weights")
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range inputs { // old models also list weights as inputs
		if !r.made[name] {
			g.Inputs, r.made[name] = append(g.Inputs, name), true
		}
	}
	return each(body, func(f field) error {
		if f.number != 1 {
			return nil
		}
		return r.node(f.bytes)
	})
}

func (r *reading) weight(message []byte) error {
	v, err := readValues(message)
	if err == nil && r.made[v.name] {
		err = errors.New("the name is empty or a duplicate")
	}
	if err == nil {
		r.made[v.name] = true
		err = v.add(r.Graph, v.name)
	}
	if err != nil {
		return fmt.Errorf("the tensor %.80q: %w", v.name, err)
	}
	return nil
}

// node reads a NodeProto and adds it, unless it only passes a value through or is a constant.
func (r *reading) node(message []byte) error {
	n, err := readNode(message)
	if err != nil {
		return err
	}
	for i, name := range n.Inputs {
		if !r.made[name] {
			return fmt.Errorf("%v takes %.80q, which no earlier node computes: the graph has a cycle, or the file is damaged", n, name)
		}
		if same, ok := r.same[name]; ok {
			n.Inputs[i] = same
		}
	}
	for _, name := range n.Outputs {
		if name != "" && r.made[name] {
			return fmt.Errorf("%v computes %.80q, which already exists: the file is damaged", n, name)
		}
		r.made[name] = true
	}
	switch {
	case len(n.Outputs) == 0:
		return nil
	case n.Op == "Constant":
		return r.constant(n)
	case n.passes() && len(n.Inputs) > 0:
		r.same[n.Outputs[0]] = n.Inputs[0]
		return nil
	case len(r.Nodes) == maxNodes:
		return fmt.Errorf("more than %d operators: not a supported network", maxNodes)
	}
	r.Nodes = append(r.Nodes, n)
	for _, name := range n.Outputs {
		r.makers[name] = n
	}
	if n.Op == "Shape" {
		return nil
	}
	for _, name := range n.Inputs {
		if users := r.users[name]; name != "" && (len(users) == 0 || users[len(users)-1] != n) {
			r.users[name] = append(users, n)
		}
	}
	return nil
}

// passes reports whether a node passes its input through, apart from the float type.
func (n *Node) passes() bool {
	to := n.Int("to", 0)
	return n.Op == "Identity" || n.Op == "Dropout" || n.Op == "Cast" && (to == typeFloat || to == typeFloat16)
}

func (r *reading) constant(n *Node) error {
	name := n.Outputs[0]
	for key, a := range n.attributes {
		switch key {
		case "value":
			v, err := readValues(a.tensor)
			if err == nil {
				err = v.add(r.Graph, name)
			}
			if err != nil {
				return fmt.Errorf("%v: %w", n, err)
			}
		case "value_float":
			r.Tensors[name] = tensor.Of([]float32{a.float})
		case "value_floats":
			r.Tensors[name] = tensor.Of(a.floats, len(a.floats))
		case "value_int":
			r.Integers[name] = []int{a.integer}
		case "value_ints":
			r.Integers[name] = a.integers
		}
	}
	return nil
}

func readNode(message []byte) (*Node, error) {
	n, domain := &Node{}, ""
	err := each(message, func(f field) error {
		switch f.number {
		case 1:
			n.Inputs = append(n.Inputs, string(f.bytes))
		case 2:
			n.Outputs = append(n.Outputs, string(f.bytes))
		case 3:
			n.Name = string(f.bytes)
		case 4:
			n.Op = string(f.bytes)
		case 5:
			return n.attribute(f.bytes)
		case 7:
			domain = string(f.bytes)
		}
		return nil
	})
	if domain != "" && domain != "ai.onnx" {
		n.Op = domain + "." + n.Op
	}
	return n, err
}

// attribute reads an AttributeProto. It ignores graphs.
func (n *Node) attribute(message []byte) error {
	var a attribute
	name := ""
	err := each(message, func(f field) (err error) {
		switch f.number {
		case 1:
			name = string(f.bytes)
		case 2:
			a.float = math.Float32frombits(uint32(f.value))
		case 3:
			a.integer = int(f.value)
		case 4:
			a.text = string(f.bytes)
		case 5:
			a.tensor = f.bytes
		case 7:
			a.floats, err = f.floats(a.floats)
		case 8:
			a.integers, err = f.integers(a.integers)
		}
		return err
	})
	if n.attributes == nil {
		n.attributes = map[string]attribute{}
	}
	n.attributes[name] = a
	return err
}

type field struct {
	number protowire.Number
	kind   protowire.Type
	value  uint64 // of numeric fields
	bytes  []byte // of strings, messages and packed numbers
}

// each calls take for the fields of a message, until it returns an error.
func each(message []byte, take func(f field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return damaged(n)
		}
		message = message[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(message)
			f.value = uint64(v)
		case protowire.Fixed64Type:
			f.value, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return damaged(n)
		}
		message = message[n:]
		if err := take(f); err != nil {
			return err
		}
	}
	return nil
}

func damaged(n int) error {
	return fmt.Errorf("not an ONNX model, or an incomplete one: %w", protowire.ParseError(n))
}

// integers appends the values of a repeated varint field.
func (f field) integers(to []int) ([]int, error) {
	return repeated(f, to, protowire.VarintType, protowire.ConsumeVarint, func(v uint64) int { return int(v) })
}

// floats appends the values of a repeated float field.
func (f field) floats(to []float32) ([]float32, error) {
	return repeated(f, to, protowire.Fixed32Type, protowire.ConsumeFixed32, math.Float32frombits)
}

// repeated appends the values of a field, packed or not.
func repeated[W uint32 | uint64, T any](f field, to []T, single protowire.Type, consume func([]byte) (W, int), convert func(W) T) ([]T, error) {
	if f.kind == single {
		return append(to, convert(W(f.value))), nil
	}
	for rest := f.bytes; len(rest) > 0; {
		v, n := consume(rest)
		if n < 0 {
			return nil, damaged(n)
		}
		to, rest = append(to, convert(v)), rest[n:]
	}
	return to, nil
}
