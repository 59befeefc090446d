// Package onnx reads networks from ONNX models, and writes them as ONNX models: any network of
// internal/backbone. It has the graphs, and as much of the format as they need.
//
// A reader identifies a network by the structure of its graph: the order, strides and
// activations of its operators. Names of nodes and weights do not count, because exporters
// choose them freely.
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

// Opset is the version of ONNX's operators that models are written with.
const Opset = 13

// irVersion is the version of the format that came with Opset.
const irVersion = 7

// The names of a model's input and output.
const (
	Input  = "x"        // float32 [N, 3, H, W], normalised with the metadata's mean and std
	Output = "features" // float32 [N, C, h, w], the network's last map
)

// Encode writes the network of f as an ONNX model: [Input] to [Output], batch
// normalisation folded into the convolutions. Position (y, x) of the output is node
// y·w+x of DeepEMD-FCN, channels outermost where the project has them innermost. A grid
// that the file's facts pool the map to is not in the model: pooling stays with who runs
// it, by averages as PyTorch's AdaptiveAvgPool2d takes them.
//
// The number of pictures is left open, and so are their sides but for vision transformers:
// their embeddings of positions are resampled for the file's input size, and the model
// takes pictures of that alone.
//
// The facts of the file (mean, std, input_size, …) become the model's
// metadata_props, under the keys that safetensors files have. Tensors other than
// the encoder's are left out. The same weights always give the same bytes.
//
// # Errors
//
// Incomplete metadata, what [backbone.New] refuses, and an input size that patches do not
// divide, before anything is written; all name the file. Errors of w as they come.
func Encode(w io.Writer, f *weights.File) error {
	if err := f.Meta.Validate(); err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	// A model that is written is one that runs here too.
	network, err := backbone.New(f, backbone.Options{LowMemory: true})
	if err != nil {
		return err
	}
	graph, err := newGraph(f, network)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Source, err)
	}
	_, err = model(f.Meta, graph).WriteTo(w)
	return err
}

// model returns a ModelProto.
func model(meta weights.Meta, g *graph) *message {
	var m, opset message
	m.integer(1, irVersion)
	m.text(2, "deepemd") // producer_name
	m.message(7, g.message())
	opset.integer(2, Opset) // of the domain "", ONNX's own
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

// drawMobileNet adds a MobileNet.
func drawMobileNet(g *graph, f *weights.File) {
	blocks := 0
	has := func(number int, at string) bool {
		return f.Tensors[fmt.Sprintf("encoder.features.%d.%s.0.0.weight", number, at)] != nil
	}
	for has(blocks+1, "conv") || has(blocks+1, "block") {
		blocks++
	}
	plan := backbone.MobileNetPlanOfFile(f)
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

// drawInverted adds a block, and returns its output.
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
	entry := l.tensor("0.0.weight").Shape[1] // channels of the input, where it is no depthwise layer
	if l.tensor("0.0.weight").Shape[2] != 1 {
		entry = l.tensor("0.0.weight").Shape[0]
	}
	if plan.Strides[i] == 1 && entry == len(project.bias) {
		x = l.graph.node("Add", l.name+"sum", []string{x, in})
	}
	return x
}

// drawSqueeze scales the channels of x, and returns the output.
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
	return l.graph.node("HardSigmoid", l.name+name, []string{in}, floatAttribute("alpha", 1./6), floatAttribute("beta", 0.5))
}

// activate adds an activation and returns its output.
func (l layers) activate(out, in string, kind nn.Activation) string {
	switch kind {
	case nn.ReLU6:
		return l.graph.node("Clip", out, []string{in, l.graph.scalar("zero", 0), l.graph.scalar("six", 6)})
	case nn.HardSwish: // an operator of its own only from opset 14 on
		return l.graph.node("Mul", out, []string{in, l.hardSigmoid("gate of "+out, in)})
	}
	return l.relu(out, in)
}

// scalar adds a number, once, and returns its name.
func (g *graph) scalar(name string, v float32) string {
	if g.there[name] {
		return name
	}
	g.there[name] = true
	return g.initializer(name, tensor.Of([]float32{v}))
}

// drawResidual adds a ResNet of torchvision.
func drawResidual(g *graph, f *weights.File) {
	stem := layers{g, f, "encoder.", "", nn.BatchNormEpsilon}
	x := stem.relu("relu", stem.conv("conv1", Input, stem.fold("conv1", "bn1"), 2))
	x = g.node("MaxPool", "maxpool", []string{x}, intsAttribute("kernel_shape", 3, 3), intsAttribute("pads", 1, 1, 1, 1), intsAttribute("strides", 2, 2))
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

// drawResidualBlock adds the block that makes out of in.
func drawResidualBlock(l layers, in, out string, stride int) {
	count, strided := 2, 1 // the stride is that of the first 3×3 convolution
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

// drawResNet12 adds a ResNet-12.
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

// drawBlock12 adds the block that makes out of in.
func drawBlock12(g *graph, l layers, in, out string) {
	third, sum := l.fold("conv3", "bn3"), l.fold("downsample.0", "downsample.1")
	// Both branches end in the same sum, so one bias serves for both.
	for i := range third.bias {
		third.bias[i] += sum.bias[i]
	}
	sum.bias = nil
	x := l.leaky("relu1", l.conv("conv1", in, l.fold("conv1", "bn1"), 1))
	x = l.leaky("relu2", l.conv("conv2", x, l.fold("conv2", "bn2"), 1))
	x = l.conv("conv3", x, third, 1)
	shortcut := l.conv("shortcut", in, sum, 1)
	x = l.leaky("relu3", g.node("Add", l.name+"sum", []string{x, shortcut}))
	// Pads of 0 and a ceil_mode of 0 are the defaults: odd last rows and columns
	// are left out.
	g.node("MaxPool", out, []string{x}, intsAttribute("kernel_shape", 2, 2), intsAttribute("strides", 2, 2))
}

// leaky adds the activation of ResNet-12 and returns its output.
func (l layers) leaky(name, in string) string {
	return l.graph.node("LeakyRelu", l.name+name, []string{in}, floatAttribute("alpha", nn.LeakySlope))
}
