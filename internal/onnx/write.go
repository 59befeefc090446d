// Package onnx reads and writes the networks of internal/backbone as ONNX models. It implements the
// part of the format that they need.
//
// The reader identifies a network by the structure of its graph: the order, strides and activations
// of its operators. It ignores the names of nodes and weights, because exporters choose them
// freely.
package onnx

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Opset is the opset of written models.
const Opset = 13

// irVersion is the format version that belongs to Opset.
const irVersion = 7

// The names of a model's input and output.
const (
	Input  = "x"        // float32 [N, 3, H, W], normalized with the metadata's mean and std
	Output = "features" // float32 [N, C, h, w], the network's last map
)

// Encode writes the network of f as an ONNX model from [Input] to [Output], with folded batch
// normalization. Position (y, x) of the output is node y·w+x of DeepEMD-FCN. Channels are the
// outermost axis. The model does not contain the pooling to a grid that the metadata may request:
// users apply it as in PyTorch's AdaptiveAvgPool2d.
//
// The number of images is dynamic. Their size is dynamic too, except for vision transformers: their
// position embeddings are resampled for the file's input size.
//
// The metadata (mean, std, input_size, …) become metadata_props under the same keys as in
// safetensors files. Tensors outside the encoder are omitted. The same weights always give the same
// bytes.
//
// # Errors
//
// Incomplete metadata, the errors of [backbone.New], and an input size that the patches do not
// divide, all before anything is written and with the file's name; errors of w.
func Encode(w io.Writer, f *weights.File) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	network, err := backbone.New(f, backbone.Options{LowMemory: true})
	if err != nil {
		return err
	}
	graph, err := newGraph(f, network)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	return model(f.Meta, graph).write(w)
}

func model(meta weights.Meta, g *graph) *message {
	var m, opset message
	m.integer(1, irVersion)
	m.text(2, "deepemd") // producer_name
	m.message(7, g.message())
	opset.integer(2, Opset) // of ONNX's own domain, ""
	m.message(8, &opset)
	entries := meta.Entries()
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		var property message
		property.text(1, key)
		property.text(2, entries[key])
		m.message(14, &property)
	}
	return &m
}

// drawFirst adds a MobileNet v1, whose padding is TensorFlow's.
func drawFirst(g *graph, f *weights.File) {
	l := layers{g, f, "encoder.features.", "", backbone.FirstEpsilon}
	g.upper = true
	layer := func(name, in string, stride, groups int) string {
		x := l.convolve(name, in, l.fold(name, name+".bn"), stride, groups)
		return l.activate("after "+name, x, nn.ReLU6)
	}
	x := layer("conv1", Input, 2, 1)
	for i, stride := range backbone.FirstStrides {
		deep, point := fmt.Sprintf("dw%d", i+1), fmt.Sprintf("pw%d", i+1)
		filters := l.tensor(deep + ".weight")
		if filters == nil { // the file ends with a block
			break
		}
		x = layer(point, layer(deep, x, stride, filters.Shape[0]), 1, 1)
	}
	g.node("Identity", Output, []string{x})
}

func drawMobileNet(g *graph, f *weights.File) {
	if f.Tensors["encoder.features.dw1.weight"] != nil {
		drawFirst(g, f)
		return
	}
	plan, blocks := backbone.MobileNetPlanOfFile(f)
	part := func(number int) layers {
		return layers{g, f, fmt.Sprintf("encoder.features.%d.", number), fmt.Sprintf("features.%d/", number), plan.Epsilon}
	}
	first, last := part(0), part(blocks+1)
	x := first.activate("features.0", first.conv("conv", Input, first.fold("0", "1"), 2), plan.Ends)
	for i := range blocks {
		at := "block."
		if plan.Second {
			at = "conv."
		}
		l := part(i + 1)
		l.weights += at
		x = drawInverted(l, x, plan, i)
	}
	if last.tensor("0.weight") == nil { // the file ends with a block
		g.node("Identity", Output, []string{x})
		return
	}
	last.activate(Output, last.conv("conv", x, last.fold("0", "1"), 1), plan.Ends)
}

// drawInverted adds a block and returns its output.
func drawInverted(l layers, in string, plan backbone.MobileNetPlan, i int) string {
	next := 0
	fold := func() folded {
		c := l.fold(fmt.Sprintf("%d.0", next), fmt.Sprintf("%d.1", next))
		next++
		return c
	}
	x := in
	if l.tensor("0.0.weight").Shape[2] == 1 {
		x = l.activate(l.name+"wide", l.conv("expand", x, fold(), 1), plan.After[i])
	}
	deep := fold()
	x = l.convolve("deep", x, deep, plan.Strides[i], len(deep.bias))
	x = l.activate(l.name+"seen", x, plan.After[i])
	if at := fmt.Sprintf("%d.fc", next); l.tensor(at+"1.weight") != nil {
		x = drawSqueeze(l, x, at)
		next++
	}
	conv, norm := fmt.Sprintf("%d.0", next), fmt.Sprintf("%d.1", next)
	if plan.Second {
		conv, norm = fmt.Sprintf("%d", next), fmt.Sprintf("%d", next+1)
	}
	project := l.fold(conv, norm)
	x = l.conv("project", x, project, 1)
	entry := l.tensor("0.0.weight").Shape[1]
	if l.tensor("0.0.weight").Shape[2] != 1 {
		entry = l.tensor("0.0.weight").Shape[0]
	}
	if plan.Strides[i] == 1 && entry == len(project.bias) {
		x = l.graph.node("Add", l.name+"sum", []string{x, in})
	}
	return x
}

// drawSqueeze adds the layers that scale the channels of x, and returns the output.
func drawSqueeze(l layers, x, at string) string {
	dense := func(number string) folded {
		return folded{l.tensor(at + number + ".weight"), l.tensor(at + number + ".bias").Data}
	}
	mean := l.graph.node("GlobalAveragePool", l.name+"mean", []string{x})
	hidden := l.relu(l.name+"hidden", l.conv("squeeze", mean, dense("1"), 1))
	scale := l.hardSigmoid("scale", l.conv("excite", hidden, dense("2"), 1))
	return l.graph.node("Mul", l.name+"scaled", []string{x, scale})
}

// hardSigmoid adds min(max(x + 3, 0), 6)/6.
func (l layers) hardSigmoid(name, in string) string {
	return l.graph.node("HardSigmoid", l.name+name, []string{in}, attributeOf("alpha", float32(1./6)), attributeOf("beta", float32(0.5)))
}

// activate adds an activation and returns its output.
func (l layers) activate(out, in string, kind nn.Activation) string {
	switch kind {
	case nn.ReLU6:
		return l.graph.node("Clip", out, []string{in, l.graph.scalar("zero", 0), l.graph.scalar("six", 6)})
	case nn.HardSwish: // an operator only since opset 14
		return l.graph.node("Mul", out, []string{in, l.hardSigmoid("gate of "+out, in)})
	}
	return l.relu(out, in)
}

// scalar adds a constant once, and returns its name.
func (g *graph) scalar(name string, v float32) string {
	if g.there[name] {
		return name
	}
	g.there[name] = true
	return g.initializer(name, tensor.Of([]float32{v}))
}

func drawResidual(g *graph, f *weights.File) {
	stem := layers{g, f, "encoder.", "", nn.BatchNormEpsilon}
	x := stem.relu("relu", stem.conv("conv1", Input, stem.fold("conv1", "bn1"), 2))
	x = g.node("MaxPool", "maxpool", []string{x}, attributeOf("kernel_shape", []int{3, 3}), attributeOf("pads", []int{1, 1, 1, 1}), attributeOf("strides", []int{2, 2}))
	has := func(stage, number int) bool {
		return f.Tensors[fmt.Sprintf("encoder.layer%d.%d.conv1.weight", stage, number)] != nil
	}
	for stage := 1; has(stage, 0); stage++ {
		for number := 0; has(stage, number); number++ {
			stride := 1
			if number == 0 && stage > 1 {
				stride = 2
			}
			name := fmt.Sprintf("layer%d.%d", stage, number)
			out := name
			if !has(stage, number+1) && !has(stage+1, 0) {
				out = Output
			}
			drawResidualBlock(layers{g, f, "encoder." + name + ".", name + "/", nn.BatchNormEpsilon}, x, out, stride)
			x = out
		}
	}
}

// drawResidualBlock adds the block from in to out.
func drawResidualBlock(l layers, in, out string, stride int) {
	count, strided := 2, 1 // the first 3×3 convolution has the stride
	if l.tensor("conv3.weight") != nil {
		count, strided = 3, 2
	}
	x := in
	for i := 1; i <= count; i++ {
		each := 1
		if i == strided {
			each = stride
		}
		x = l.conv(fmt.Sprintf("conv%d", i), x, l.fold(fmt.Sprintf("conv%d", i), fmt.Sprintf("bn%d", i)), each)
		if i < count {
			x = l.relu(fmt.Sprintf("%srelu%d", l.name, i), x)
		}
	}
	past := in
	if l.tensor("downsample.0.weight") != nil {
		past = l.conv("downsample", in, l.fold("downsample.0", "downsample.1"), stride)
	}
	l.relu(out, l.graph.node("Add", l.name+"sum", []string{x, past}))
}

func drawResNet12(g *graph, f *weights.File) {
	x := Input
	for number := 1; number <= backbone.Blocks; number++ {
		out := fmt.Sprintf("layer%d", number)
		if number == backbone.Blocks {
			out = Output
		}
		drawBlock12(g, layers{g, f, fmt.Sprintf("encoder.layer%d.0.", number), fmt.Sprintf("layer%d/", number), nn.BatchNormEpsilon}, x, out)
		x = out
	}
}

// drawBlock12 adds the block from in to out.
func drawBlock12(g *graph, l layers, in, out string) {
	third, sum := l.fold("conv3", "bn3"), l.fold("downsample.0", "downsample.1")
	// Both branches are summed, so one bias is enough.
	for i := range third.bias {
		third.bias[i] += sum.bias[i]
	}
	sum.bias = nil
	x := l.leaky("relu1", l.conv("conv1", in, l.fold("conv1", "bn1"), 1))
	x = l.leaky("relu2", l.conv("conv2", x, l.fold("conv2", "bn2"), 1))
	x = l.conv("conv3", x, third, 1)
	shortcut := l.conv("shortcut", in, sum, 1)
	x = l.leaky("relu3", g.node("Add", l.name+"sum", []string{x, shortcut}))
	// Odd last rows and columns are dropped: pads and ceil_mode are 0 by default.
	g.node("MaxPool", out, []string{x}, attributeOf("kernel_shape", []int{2, 2}), attributeOf("strides", []int{2, 2}))
}

func (l layers) leaky(name, in string) string {
	return l.graph.node("LeakyRelu", l.name+name, []string{in}, attributeOf("alpha", float32(nn.LeakySlope)))
}
