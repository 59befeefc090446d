package onnx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// graph is a GraphProto under construction: nodes in the order in which they
// run, and the weights that they take.
type graph struct {
	name                string
	nodes, initializers []*message
	channels            int // of the output
}

// newGraph returns the graph of an encoder.
func newGraph(f *weights.File) (*graph, error) {
	g := &graph{name: f.Meta.Name, channels: f.Meta.Widths[resnet.Blocks-1]}
	if g.name == "" {
		g.name = f.Meta.Arch // a graph must have a name
	}
	x := Input
	for number := 1; number <= resnet.Blocks; number++ {
		out := fmt.Sprintf("layer%d", number)
		if number == resnet.Blocks {
			out = Output
		}
		if err := addBlock(g, f, number, x, out); err != nil {
			return nil, err
		}
		x = out
	}
	return g, nil
}

// node adds a NodeProto with one output, which names it too.
func (g *graph) node(operator, output string, inputs []string, attributes ...*message) {
	var n message
	for _, input := range inputs {
		n.text(1, input)
	}
	n.text(2, output)
	n.text(3, output) // name
	n.text(4, operator)
	for _, a := range attributes {
		n.message(5, a)
	}
	g.nodes = append(g.nodes, &n)
}

// initializer adds a TensorProto of float32.
func (g *graph) initializer(name string, t *tensor.Tensor) {
	var m message
	for _, extent := range t.Shape {
		m.integer(1, extent)
	}
	m.integer(2, elementFloat)
	m.text(8, name)
	m.floats(9, t.Data) // raw_data
	g.initializers = append(g.initializers, &m)
}

// message returns the GraphProto.
func (g *graph) message() *message {
	var m message
	for _, n := range g.nodes {
		m.message(1, n)
	}
	m.text(2, g.name)
	for _, t := range g.initializers {
		m.message(5, t)
	}
	m.message(11, value(Input, open("N"), fixed(3), open("H"), open("W")))
	m.message(12, value(Output, open("N"), fixed(g.channels), open("h"), open("w")))
	return &m
}

// elementFloat is TensorProto.DataType.FLOAT.
const elementFloat = 1

// value returns a ValueInfoProto of a tensor of float32.
func value(name string, dimensions ...*message) *message {
	var info, kind, tensorType, shape message
	for _, d := range dimensions {
		shape.message(1, d)
	}
	tensorType.integer(1, elementFloat)
	tensorType.message(2, &shape)
	kind.message(1, &tensorType)
	info.text(1, name)
	info.message(2, &kind)
	return &info
}

// fixed returns a TensorShapeProto.Dimension of one extent only.
func fixed(extent int) *message {
	var d message
	d.integer(1, extent)
	return &d
}

// open returns a TensorShapeProto.Dimension of any extent.
func open(name string) *message {
	var d message
	d.text(2, name)
	return &d
}

// AttributeProto.AttributeType, and the field that holds a value of the type.
const (
	attributeFloat = 1
	attributeInts  = 7

	fieldFloat protowire.Number = 2
	fieldInts  protowire.Number = 8
)

// floatAttribute returns an AttributeProto.
func floatAttribute(name string, v float32) *message {
	var a message
	a.text(1, name)
	a.float(fieldFloat, v)
	a.integer(20, attributeFloat)
	return &a
}

// intsAttribute returns an AttributeProto.
func intsAttribute(name string, values ...int) *message {
	var a message
	a.text(1, name)
	for _, v := range values {
		a.integer(fieldInts, v)
	}
	a.integer(20, attributeInts)
	return &a
}
