package onnx

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
)

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
