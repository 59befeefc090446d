package onnx

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// layers adds layers of one part of a network to a graph. The file's tensors have been
// found to be there and of the right shape.
type layers struct {
	graph   *graph
	file    *weights.File
	weights string // before the names of the file's tensors
	name    string // before those that the graph gives
	epsilon float64
}

// folded is a convolution with its normalisation folded in.
type folded struct {
	filters *tensor.Tensor // [Cout, Cin of a group, k, k]
	bias    []float32      // nil for none
}

// tensor is one of the part.
func (l layers) tensor(name string) *tensor.Tensor { return l.file.Tensors[l.weights+name] }

// fold reads a convolution and its normalisation.
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

// convolve is conv in groups of channels.
func (l layers) convolve(name, in string, c folded, stride, groups int) string {
	output := l.name + name
	inputs := []string{in, l.initializer(output+"/weight", c.filters)}
	if c.bias != nil {
		inputs = append(inputs, l.initializer(output+"/bias", tensor.Of(c.bias, len(c.bias))))
	}
	k := c.filters.Shape[2]
	attributes := []*message{
		intsAttribute("kernel_shape", k, k), intsAttribute("pads", k/2, k/2, k/2, k/2), intsAttribute("strides", stride, stride),
	}
	if groups > 1 {
		attributes = append(attributes, intAttribute("group", groups))
	}
	return l.graph.node("Conv", output, inputs, attributes...)
}

// initializer adds folded weights and returns their name.
func (l layers) initializer(name string, t *tensor.Tensor) string {
	if err := weights.CheckFinite(t); err != nil && l.graph.err == nil {
		l.graph.err = fmt.Errorf("%s, batch normalisation folded in: %w", name, err)
	}
	return l.graph.initializer(name, t)
}

// relu adds the activation and returns its output.
func (l layers) relu(out, in string) string { return l.graph.node("Relu", out, []string{in}) }
