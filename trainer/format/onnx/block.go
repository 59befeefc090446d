package onnx

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// block is a residual block on its way into a graph. It keeps the first error.
type block struct {
	graph   *graph
	file    *weights.File
	prefix  string // of what the graph calls its parts
	weights string // prefix of the file's tensors
	err     error
}

// addBlock adds the block of a number, from 1 on, which makes out of in.
func addBlock(g *graph, f *weights.File, number int, in, out string) error {
	b := block{graph: g, file: f, prefix: fmt.Sprintf("layer%d/", number), weights: fmt.Sprintf("encoder.layer%d.0.", number)}
	w1, b1 := b.fold("conv1", "bn1")
	w2, b2 := b.fold("conv2", "bn2")
	w3, b3 := b.fold("conv3", "bn3")
	ws, bs := b.fold("downsample.0", "downsample.1")
	// Both branches end in the same sum, so one bias serves for both.
	for i := range b3 {
		b3[i] += bs[i]
	}
	x := b.leaky("relu1", b.conv("conv1", in, w1, b1))
	x = b.leaky("relu2", b.conv("conv2", x, w2, b2))
	x = b.conv("conv3", x, w3, b3)
	shortcut := b.conv("shortcut", in, ws, nil)
	sum := b.prefix + "sum"
	b.graph.node("Add", sum, []string{x, shortcut})
	x = b.leaky("relu3", sum)
	// Pads of 0 and a ceil_mode of 0 are the defaults: odd last rows and columns
	// are left out.
	b.graph.node("MaxPool", out, []string{x}, intsAttribute("kernel_shape", 2, 2), intsAttribute("strides", 2, 2))
	return b.err
}

// fold returns a convolution with its normalisation folded in. The tensors have
// been found to be there and of the right shape.
func (b *block) fold(conv, norm string) (*tensor.Tensor, []float32) {
	t := func(name string) *tensor.Tensor { return b.file.Tensors[b.weights+name] }
	bn := nn.BatchNorm{
		Weight: t(norm + ".weight"), Bias: t(norm + ".bias"),
		Mean: t(norm + ".running_mean"), Variance: t(norm + ".running_var"),
	}
	return bn.Fold(t(conv + ".weight"))
}

// conv adds a convolution that keeps the size, with a bias unless that is nil,
// and returns its output.
func (b *block) conv(name, in string, filters *tensor.Tensor, bias []float32) string {
	output := b.prefix + name
	inputs := []string{in, b.initializer(output+"/weight", filters)}
	if bias != nil {
		inputs = append(inputs, b.initializer(output+"/bias", tensor.Of(bias, len(bias))))
	}
	k := filters.Shape[2]
	b.graph.node("Conv", output, inputs,
		intsAttribute("kernel_shape", k, k), intsAttribute("pads", k/2, k/2, k/2, k/2), intsAttribute("strides", 1, 1))
	return output
}

// initializer adds folded weights and returns their name.
func (b *block) initializer(name string, t *tensor.Tensor) string {
	if err := weights.CheckFinite(t); err != nil && b.err == nil {
		b.err = fmt.Errorf("%s, batch normalisation folded in: %w", name, err)
	}
	b.graph.initializer(name, t)
	return name
}

// leaky adds the activation and returns its output.
func (b *block) leaky(name, in string) string {
	output := b.prefix + name
	b.graph.node("LeakyRelu", output, []string{in}, floatAttribute("alpha", nn.LeakySlope))
	return output
}
