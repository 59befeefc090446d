package onnx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// graph is a GraphProto under construction: nodes in the order in which they
// run, and the weights that they take. It keeps the first error.
type graph struct {
	name                string
	nodes, initializers []*message
	there               map[string]bool // numbers that were added
	in, out             []*message      // dimensions of the input and of the output
	err                 error
}

// newGraph returns the graph of a network.
func newGraph(f *weights.File, network backbone.Network) (*graph, error) {
	g := &graph{name: f.Meta.Name, there: map[string]bool{}}
	if g.name == "" {
		g.name = f.Meta.Arch // a graph must have a name
	}
	g.in = []*message{open("N"), fixed(3), open("H"), open("W")}
	g.out = []*message{open("N"), fixed(network.Channels()), open("h"), open("w")}
	switch f.Meta.Arch {
	case backbone.ArchResNet12:
		drawResNet12(g, f)
	case backbone.ArchResNet:
		drawResidual(g, f)
	case backbone.ArchMobileNet:
		drawMobileNet(g, f)
	case backbone.ArchViT:
		n, err := backbone.NewViT(f, backbone.Options{})
		if err != nil {
			return nil, err
		}
		side, patch := f.Meta.InputSize, n.Patch()
		across := side / patch
		switch {
		case side%patch != 0:
			return nil, fmt.Errorf("an input of %d px, of which patches of %d px are no whole number: give --input-size %d", side, patch, max(1, across)*patch)
		case across*across > backbone.MaxPatches:
			return nil, fmt.Errorf("an input of %d px has %d patches, %d is the most: give a smaller --input-size", side, across*across, backbone.MaxPatches)
		}
		g.in[2], g.in[3] = fixed(side), fixed(side)
		g.out[2], g.out[3] = fixed(across), fixed(across)
		drawTransformer(g, f, n)
	default:
		return nil, fmt.Errorf("architecture %q: no ONNX is written of it", f.Meta.Arch)
	}
	return g, g.err
}

// node adds a NodeProto with one output, which names it too and is returned.
func (g *graph) node(operator, output string, inputs []string, attributes ...*message) string {
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
	return output
}

// initializer adds a TensorProto of float32 and returns its name.
func (g *graph) initializer(name string, t *tensor.Tensor) string {
	var m message
	for _, extent := range t.Shape {
		m.integer(1, extent)
	}
	m.integer(2, elementFloat)
	m.text(8, name)
	m.floats(9, t.Data) // raw_data
	g.initializers = append(g.initializers, &m)
	return name
}

// integers adds a list of int64, once, and returns its name.
func (g *graph) integers(name string, values ...int) string {
	return g.int64s(name, []int{len(values)}, values)
}

// integer adds an int64, once, and returns its name.
func (g *graph) integer(name string, value int) string { return g.int64s(name, nil, []int{value}) }

// int64s adds a TensorProto of int64, unless it is there.
func (g *graph) int64s(name string, shape, values []int) string {
	if g.there[name] {
		return name
	}
	g.there[name] = true
	var m message
	for _, extent := range shape {
		m.integer(1, extent)
	}
	m.integer(2, elementInt64)
	for _, v := range values {
		m.integer(7, v)
	}
	m.text(8, name)
	g.initializers = append(g.initializers, &m)
	return name
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
	m.message(11, value(Input, g.in...))
	m.message(12, value(Output, g.out...))
	return &m
}

// TensorProto.DataType.
const (
	elementFloat = 1
	elementInt64 = 7
)

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
	attributeInt   = 2
	attributeInts  = 7

	fieldFloat protowire.Number = 2
	fieldInt   protowire.Number = 3
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

// intAttribute returns an AttributeProto.
func intAttribute(name string, v int) *message {
	var a message
	a.text(1, name)
	a.integer(fieldInt, v)
	a.integer(20, attributeInt)
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
