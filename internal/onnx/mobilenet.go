package onnx

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

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
