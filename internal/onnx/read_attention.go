package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/tensor"
)

// attention reads the attention that computes a value, without the dense layer after it: queries,
// keys and values from one or three dense layers. It returns their input.
func (p *layerReader) attention(value, name string) (input string) {
	if p.err != nil {
		return ""
	}
	mixed := p.computed(value, "MatMul")
	if mixed == nil {
		p.fail(value, "the product of a softmax and the values")
		return ""
	}
	softmax := p.computed(mixed.Input(0), "Softmax")
	if softmax == nil || !slices.Contains([]int{-1, 2, 3}, softmax.Int("axis", -1)) {
		p.fail(mixed.Input(0), "a softmax over the last axis")
		return ""
	}
	heads := p.headsBefore(softmax)
	if p.heads != 0 && p.heads != heads && p.err == nil {
		p.err = fmt.Errorf("%d heads, but %d in other blocks: want the same number in each", heads, p.heads)
	}
	if p.heads = heads; p.err != nil {
		return ""
	}
	by, factors := p.product(softmax.Input(0))
	var scores *Node
	if len(factors) == 1 {
		scores = p.computed(factors[0], "MatMul")
	}
	if scores == nil {
		p.fail(softmax.Input(0), "the product of queries and keys, and a number")
		return ""
	}
	from := []string{"", "", mixed.Input(1)}
	for i := range 2 {
		scale, factors := p.product(scores.Input(i))
		if len(factors) != 1 {
			p.fail(scores.Input(i), "a dense layer and a number")
			return ""
		}
		by *= scale
		from[i] = factors[0]
	}
	if want := 1 / math.Sqrt(float64(p.channels/heads)); !near(by, want) {
		p.err = fmt.Errorf("%v takes scores times %.4g, want %.4g, 1/√%d", softmax, by, want, p.channels/heads)
		return ""
	}
	order := p.makers(from)
	rows := 0
	for _, d := range order {
		if p.err != nil {
			return ""
		}
		rows += d.weight.Shape[0]
		switch {
		case d.weight.Shape[1] != p.channels:
			p.err = fmt.Errorf("%v has weights of shape %v for %d channels", d.node, d.weight.Shape, p.channels)
		case p.plain(d.input) != p.plain(order[0].input):
			p.err = fmt.Errorf("%v and %v take different values", order[0].node, d.node)
		}
	}
	switch {
	case p.err != nil:
		return ""
	case rows != 3*p.channels:
		p.err = fmt.Errorf("queries, keys and values have %d channels together, want %d", rows, 3*p.channels)
		return ""
	}
	if p.err = p.spend(softmax, rows*p.channels); p.err != nil {
		return ""
	}
	weight, bias := tensor.New(rows, p.channels), make([]float32, 0, rows)
	for _, d := range order {
		copy(weight.Data[len(bias)*p.channels:], d.weight.Data)
		bias = append(bias, d.bias...)
	}
	p.tensors[name+".weight"], p.tensors[name+".bias"] = weight, tensor.Of(bias, rows)
	return order[0].input
}

// makers reads the dense layers of queries, keys and values, or the single layer with all three in
// this order.
func (p *layerReader) makers(values []string) (layers []fullyConnected) {
	var outputs []string
	for _, value := range values {
		outputs = append(outputs, p.plain(value, "Split", "Gather", "Slice"))
	}
	switch distinct := len(slices.Compact(slices.Sorted(slices.Values(outputs)))); {
	case distinct == 1:
		p.checkOrder(values)
		p.checkWhole(values[0])
		return []fullyConnected{p.dense(outputs[0])}
	case distinct == 2:
		odd := outputs[0]
		if i := slices.Index(outputs[1:], odd); i >= 0 {
			odd = outputs[2-i]
		}
		if p.dense(odd); p.err == nil {
			p.err = fmt.Errorf("%s computes one of queries, keys and values, another layer two: want one dense layer for all, or three", p.describe(odd))
		}
		return nil
	}
	for i, value := range values { // all of each
		layers = append(layers, p.dense(p.plain(value)))
		if p.err == nil && outputs[i] != p.plain(value) {
			p.fail(value, "a dense layer")
		}
	}
	return layers
}

// checkOrder checks that the three values are consecutive parts of one dense layer's output. It
// accepts parts that the graph computes.
func (p *layerReader) checkOrder(values []string) {
	latest := -1
	for _, value := range values {
		value = p.plain(value)
		n := p.Maker(value)
		var at []int
		switch {
		case n == nil:
		case n.Op == "Split":
			at = []int{slices.Index(n.Outputs, value)}
		case n.Op == "Gather" || n.Op == "Slice":
			at = p.Integers[n.Input(1)]
		}
		if len(at) != 1 {
			return
		}
		if at[0] <= latest && p.err == nil {
			p.err = fmt.Errorf("%v does not take queries, keys and values in this order", n)
		}
		latest = at[0]
	}
}

// checkWhole checks that the value, if it is a third of a reshaped dense layer's output, has all
// heads: [3, heads, channels of a head], not [heads, 3, channels of a head].
func (p *layerReader) checkWhole(value string) {
	n := p.Maker(p.plain(value))
	if n == nil {
		return
	}
	third, axis := n, n.Int("axis", 0)
	if axes := p.Integers[n.Input(3)]; n.Op == "Slice" && len(axes) == 1 {
		axis = axes[0]
	} else if n.Op != "Gather" && n.Op != "Split" {
		return
	}
	for n = p.Maker(n.Input(0)); n != nil && n.Op == "Transpose"; n = p.Maker(n.Input(0)) {
		perm := n.Ints("perm")
		if axis < 0 {
			axis += len(perm)
		}
		if axis < 0 || axis >= len(perm) {
			return
		}
		axis = perm[axis]
	}
	if n == nil || n.Op != "Reshape" {
		return
	}
	shape := p.Integers[n.Input(1)]
	if shape == nil {
		if list := p.Maker(n.Input(1)); list != nil && list.Op == "Concat" {
			for _, name := range list.Inputs {
				shape = append(shape, p.whole(name))
			}
		}
	}
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis >= len(shape) {
		return
	}
	const tokens = 3 // axes of [images, tokens, channels]
	if axis == len(shape)-1 && len(shape) > tokens && p.err == nil {
		p.err = fmt.Errorf("%v takes a third of each head, want a third of all channels", third)
	}
	if axis == len(shape)-1 {
		return
	}
	channels := 1
	for _, extent := range shape[axis+1:] {
		channels *= max(extent, 0) // 0 if the graph computes it
	}
	if channels != 0 && channels != p.channels && p.err == nil {
		p.err = fmt.Errorf("%v takes parts of %d channels, want %d, those of all heads", third, channels, p.channels)
	}
}

// headsBefore returns the number of heads, which the shape of the queries or keys contains.
func (p *layerReader) headsBefore(softmax *Node) (heads int) {
	value := softmax.Input(0)
	for range maxBack {
		n := p.Maker(value)
		if n == nil || n.Op == "Gemm" || n.Op == "MatMul" && p.Tensors[p.plain(n.Input(1))] != nil {
			break
		}
		switch n.Op {
		case "Reshape":
			heads = p.headsOf(n.Input(1))
			if heads >= 1 && p.channels%heads == 0 {
				return heads
			}
		case "MatMul", "Add", "Mul", "Div", "Transpose", "Squeeze", "Unsqueeze", "Split", "Gather", "Slice":
		default:
			p.fail(value, "the product of queries and keys")
			return 0
		}
		computed := slices.IndexFunc(n.Inputs, func(name string) bool { return p.Maker(name) != nil })
		if computed < 0 {
			break
		}
		value = n.Inputs[computed]
	}
	p.err = fmt.Errorf("the shape [… heads, channels of a head] before %v is unknown: export the network for a fixed image size, without dynamic axes", softmax)
	return 0
}

// headsOf returns the number of heads from a shape that ends in heads and channels per head, one of
// which may be computed; 0 if unknown.
func (p *layerReader) headsOf(shape string) int {
	const unknown = 0
	ends := []int{unknown, unknown}
	if values := p.Integers[shape]; len(values) >= 2 {
		ends = values[len(values)-2:]
	} else if n := p.Maker(shape); n != nil && n.Op == "Concat" && len(n.Inputs) >= 2 {
		for i, name := range n.Inputs[len(n.Inputs)-2:] {
			ends[i] = p.whole(name)
		}
	}
	if width := ends[1]; width > 0 {
		return p.channels / width // the other may include the number of images
	}
	return max(ends[0], unknown)
}

// whole returns a constant of a shape, or 0 if the graph computes it.
func (w *walk) whole(name string) int {
	if n := w.Maker(name); n != nil && n.Op == "Unsqueeze" {
		name = n.Input(0)
	}
	if values := w.Integers[name]; len(values) == 1 {
		return values[0]
	}
	return 0
}
