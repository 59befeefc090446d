package onnx

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

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
