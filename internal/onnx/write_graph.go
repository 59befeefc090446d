package onnx

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// graph is a GraphProto under construction: nodes in execution order, and weights. It keeps the
// first error.
type graph struct {
	name                string
	nodes, initializers []*message
	there               map[string]bool // constants that exist
	in, out             []*message      // dimensions of input and output
	upper               bool            // an odd padding has its larger half at the bottom and right, as in TensorFlow
	err                 error
}

func newGraph(f *weights.File, network backbone.Network) (*graph, error) {
	g := &graph{name: cmp.Or(f.Meta.Name, f.Meta.Arch), there: map[string]bool{}} // a graph needs a name
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
			return nil, fmt.Errorf("an input of %d px is not a multiple of the patches of %d px: use --input-size %d", side, patch, max(1, across)*patch)
		case across*across > backbone.MaxPatches:
			return nil, fmt.Errorf("an input of %d px has %d patches, more than %d: use a smaller --input-size", side, across*across, backbone.MaxPatches)
		}
		g.in[2], g.in[3] = fixed(side), fixed(side)
		g.out[2], g.out[3] = fixed(across), fixed(across)
		drawTransformer(g, f, n)
	default:
		return nil, fmt.Errorf("architecture %q cannot be written as ONNX", f.Meta.Arch)
	}
	return g, g.err
}

// node adds a NodeProto, named after its only output, and returns the output.
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

// initializer adds a float32 TensorProto and returns its name.
func (g *graph) initializer(name string, t *tensor.Tensor) string {
	var m message
	for _, extent := range t.Shape {
		m.integer(1, extent)
	}
	m.integer(2, typeFloat)
	m.text(8, name)
	m.floats(9, t.Data) // raw_data
	g.initializers = append(g.initializers, &m)
	return name
}

// integers adds a list of int64 once, and returns its name.
func (g *graph) integers(name string, values ...int) string {
	return g.int64s(name, []int{len(values)}, values)
}

// integer adds an int64 once, and returns its name.
func (g *graph) integer(name string, value int) string { return g.int64s(name, nil, []int{value}) }

// int64s adds an int64 TensorProto, unless it exists.
func (g *graph) int64s(name string, shape, values []int) string {
	if g.there[name] {
		return name
	}
	g.there[name] = true
	var m message
	for _, extent := range shape {
		m.integer(1, extent)
	}
	m.integer(2, typeInt64)
	for _, v := range values {
		m.integer(7, v)
	}
	m.text(8, name)
	g.initializers = append(g.initializers, &m)
	return name
}

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

// value returns the ValueInfoProto of a float32 tensor.
func value(name string, dimensions ...*message) *message {
	var info, kind, tensorType, shape message
	for _, d := range dimensions {
		shape.message(1, d)
	}
	tensorType.integer(1, typeFloat)
	tensorType.message(2, &shape)
	kind.message(1, &tensorType)
	info.text(1, name)
	info.message(2, &kind)
	return &info
}

// fixed returns a TensorShapeProto.Dimension with a given extent.
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

// attributeOf returns the AttributeProto of a float32, int, string or []int. Its last field is the
// AttributeProto.AttributeType.
func attributeOf(name string, value any) *message {
	var a message
	a.text(1, name)
	switch v := value.(type) {
	case float32:
		a.float(2, v)
		a.integer(20, 1)
	case int:
		a.integer(3, v)
		a.integer(20, 2)
	case string:
		a.text(4, v)
		a.integer(20, 3)
	case []int:
		for _, i := range v {
			a.integer(8, i)
		}
		a.integer(20, 7)
	default:
		panic(fmt.Sprintf("onnx: an attribute of type %T", value))
	}
	return &a
}

// message is a protocol buffer under construction. It keeps its content in pieces, so that nested
// messages do not copy a model's weights. onnx.proto defines the field numbers.
type message struct {
	pieces [][]byte
	size   int
}

func (m *message) append(piece []byte) {
	m.pieces = append(m.pieces, piece)
	m.size += len(piece)
}

// integer adds an int32, int64 or enum field.
func (m *message) integer(field protowire.Number, v int) {
	m.append(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), uint64(v)))
}

func (m *message) float(field protowire.Number, v float32) {
	m.append(protowire.AppendFixed32(protowire.AppendTag(nil, field, protowire.Fixed32Type), math.Float32bits(v)))
}

// text adds a string or bytes field.
func (m *message) text(field protowire.Number, s string) {
	m.append(protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), s))
}

// floats adds a bytes field with little endian float32 values.
func (m *message) floats(field protowire.Number, values []float32) {
	raw, _ := binary.Append(nil, binary.LittleEndian, values) // floats have a fixed size
	m.length(field, len(raw))
	m.append(raw)
}

// message adds a message field. The inner message must not change afterwards.
func (m *message) message(field protowire.Number, inner *message) {
	m.length(field, inner.size)
	m.pieces = append(m.pieces, inner.pieces...)
	m.size += inner.size
}

// length adds the header of a field of size bytes.
func (m *message) length(field protowire.Number, size int) {
	m.append(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), uint64(size)))
}

func (m *message) write(w io.Writer) error {
	for _, piece := range m.pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// layers adds the layers of one part of a network to a graph. backbone.New has validated the file's
// tensors.
type layers struct {
	graph   *graph
	file    *weights.File
	weights string // prefix of the file's tensors
	name    string // prefix of the graph's names
	epsilon float64
}

type folded struct {
	filters *tensor.Tensor // [Cout, Cin of a group, k, k]
	bias    []float32      // may be nil
}

func (l layers) tensor(name string) *tensor.Tensor { return l.file.Tensors[l.weights+name] }

func (l layers) fold(conv, norm string) folded {
	bn := nn.BatchNorm{
		Weight: l.tensor(norm + ".weight"), Bias: l.tensor(norm + ".bias"),
		Mean: l.tensor(norm + ".running_mean"), Variance: l.tensor(norm + ".running_var"), Epsilon: l.epsilon,
	}
	filters, bias := bn.Fold(l.tensor(conv + ".weight"))
	return folded{filters, bias}
}

// conv adds a convolution that keeps ⌈side/stride⌉ positions, and returns its output.
func (l layers) conv(name, in string, c folded, stride int) string {
	return l.convolve(name, in, c, stride, 1)
}

// convolve is conv with groups.
func (l layers) convolve(name, in string, c folded, stride, groups int) string {
	output := l.name + name
	inputs := []string{in, l.initializer(output+"/weight", c.filters)}
	if c.bias != nil {
		inputs = append(inputs, l.initializer(output+"/bias", tensor.Of(c.bias, len(c.bias))))
	}
	k := c.filters.Shape[2]
	pads := attributeOf("pads", []int{k / 2, k / 2, k / 2, k / 2})
	if l.graph.upper {
		pads = attributeOf("auto_pad", "SAME_UPPER")
	}
	attributes := []*message{attributeOf("kernel_shape", []int{k, k}), pads, attributeOf("strides", []int{stride, stride})}
	if groups > 1 {
		attributes = append(attributes, attributeOf("group", groups))
	}
	return l.graph.node("Conv", output, inputs, attributes...)
}

func (l layers) initializer(name string, t *tensor.Tensor) string {
	if err := weights.CheckFinite(t); err != nil && l.graph.err == nil {
		l.graph.err = fmt.Errorf("%s, after folding batch normalization: %w", name, err)
	}
	return l.graph.initializer(name, t)
}

func (l layers) relu(out, in string) string { return l.graph.node("Relu", out, []string{in}) }
