package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

// ArchResNet is the architecture name of the ResNet of He et al., "Deep Residual Learning for Image
// Recognition" (2016), with 18, 34, 50 or more layers, as in torchvision.
const ArchResNet = "resnet"

// relu is a ReLU's slope below zero.
const relu = 0

// stages is the number of stages of a complete network; each except the first halves the sides of
// the map. If a file holds only the first stages, the output of the last one is the network's
// output.
const stages = 4

// Stride is the distance in input pixels between positions of the last map of a complete ResNet or
// MobileNet.
const Stride = 32

type resnet struct {
	stem          *nn.Strided
	blocks        [][]*resnetBlock // by stage
	begun, pooled *nn.Map
}

// newResNet returns an error for tensors that are absent or have other shapes.
func newResNet(f *weights.File, opt Options) (Network, error) {
	r := &weights.Reader{File: f, Prefix: "encoder."}
	n := &resnet{}
	filters, bias := nn.ReadConv(r, "conv1", "bn1", -1, 3, 7, nn.BatchNormEpsilon)
	if r.Err != nil {
		return nil, r.Err
	}
	n.stem = nn.NewStrided(filters, bias, 2)
	channels := len(bias)
	held := len(f.Meta.Widths)
	if held < 1 || held > stages {
		return nil, fmt.Errorf("%s: widths %v, want one to %d stages", f.Source, f.Meta.Widths, stages)
	}
	n.blocks = make([][]*resnetBlock, held)
	for stage := range n.blocks {
		for i := 0; i == 0 || r.Has(fmt.Sprintf("layer%d.%d.conv1.weight", stage+1, i)); i++ {
			stride := 1
			if i == 0 && stage > 0 {
				stride = 2
			}
			b := readResNetBlock(r, fmt.Sprintf("layer%d.%d.", stage+1, i), channels, stride, opt.LowMemory)
			if r.Err != nil {
				return nil, r.Err
			}
			n.blocks[stage] = append(n.blocks[stage], b)
			channels = b.out
		}
		if f.Meta.Widths[stage] != channels {
			return nil, fmt.Errorf("%s: widths %v, the last block of stage %d has %d channels", f.Source, f.Meta.Widths, stage+1, channels)
		}
	}
	return &convolutional{
		meta: f.Meta, name: "a ResNet", stride: Stride >> (stages - held), channels: channels, together: 8, ctx: opt.Context(), layers: n.layers,
	}, nil
}

// layers computes all layers. It shows the output of the pooling after the first convolution, and
// of each block.
func (n *resnet) layers(c *nn.Context, input *nn.Map, show func(*nn.Map)) *nn.Map {
	h, w := n.stem.Sides(input.H, input.W)
	channels := n.stem.Channels()
	n.begun = n.begun.FitBare(input.N, h, w, channels)
	n.pooled = n.pooled.Fit(input.N, (h+1)/2, (w+1)/2, channels)
	n.stem.Run(c, n.begun, input, false, relu)
	nn.MaxPool3(c, n.pooled, n.begun)
	x := n.pooled
	show(x)
	for _, stage := range n.blocks {
		for _, b := range stage {
			x = b.run(c, x)
			show(x)
		}
	}
	return x
}

// resnetBlock is a residual block: two 3×3 convolutions, or one between two 1×1 convolutions, and a
// shortcut.
type resnetBlock struct {
	out    int // channels
	layers []nn.Convolution
	past   nn.Convolution // nil for the identity

	maps []*nn.Map // of the layers
}

// readResNetBlock reads the block with prefix at and in input channels. As in torchvision, the
// first 3×3 convolution has the stride.
func readResNetBlock(r *weights.Reader, at string, in, stride int, lowMemory bool) *resnetBlock {
	b := &resnetBlock{}
	read := func(conv, norm string, out, in, k, stride int) nn.Convolution {
		if p := nn.ReadPointwise(r, conv, norm, out, in, stride, nn.BatchNormEpsilon); p != nil {
			return p
		}
		filters, bias := nn.ReadConv(r, conv, norm, out, in, k, nn.BatchNormEpsilon)
		switch {
		case r.Err != nil:
			return nil
		case k == 3 && stride == 1:
			return nn.NewConv(filters, bias, lowMemory)
		}
		return nn.NewStrided(filters, bias, stride)
	}
	add := func(number string, in, k, stride int) (out int) {
		layer := read(at+"conv"+number, at+"bn"+number, -1, in, k, stride)
		if layer == nil {
			return 0
		}
		b.layers = append(b.layers, layer)
		return layer.Channels()
	}
	if r.Has(at + "conv3.weight") {
		b.out = add("3", add("2", add("1", in, 1, 1), 3, stride), 1, 1)
	} else {
		b.out = add("2", add("1", in, 3, stride), 3, 1)
	}
	b.maps = make([]*nn.Map, len(b.layers))
	if r.Has(at+"downsample.0.weight") || stride > 1 || r.Err == nil && b.out != in {
		b.past = read(at+"downsample.0", at+"downsample.1", b.out, in, 1, stride)
	}
	return b
}

// run computes the block's output. The map to which the last convolution adds first holds the
// shortcut.
func (b *resnetBlock) run(c *nn.Context, in *nn.Map) *nn.Map {
	h, w := in.H, in.W
	for i, layer := range b.layers {
		h, w = layer.Sides(h, w)
		b.maps[i] = b.maps[i].Fit(in.N, h, w, layer.Channels())
	}
	last := len(b.layers) - 1
	x := in
	for i, layer := range b.layers[:last] {
		layer.Run(c, b.maps[i], x, false, relu)
		x = b.maps[i]
	}
	out := b.maps[last]
	if b.past == nil {
		copy(out.Data, in.Data)
	} else {
		b.past.Run(c, out, in, false, nn.Linear)
	}
	b.layers[last].Run(c, out, x, true, relu)
	return out
}
