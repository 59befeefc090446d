// Package residual is the ResNet of He et al., "Deep Residual Learning for Image
// Recognition" (2016), with 18, 34, 50 or more layers, as torchvision has it, for
// inference. Batch normalisation is folded into the convolutions.
package residual

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = "resnet"

// relu is the slope below zero of its activation.
const relu = 0

// stages follow each other, each with half the positions of the one before it. A file may
// hold the first of them alone: then the map that the last one leaves is the network's.
const stages = 4

// Stride is how many pixels of the input lie between positions of the fourth stage's map.
const Stride = 32

// Options say how a network runs.
type Options = nn.Options

// Network is a ResNet. It is not safe for concurrent use.
type Network struct {
	nn.Convolutional
	meta          weights.Meta
	stem          *nn.Strided
	blocks        [][]*block // by stage
	begun, pooled *nn.Map
}

// New builds the network that the file's metadata and tensors describe.
//
// # Errors
//
// Another architecture, and tensors that are absent or have another shape. Every error
// names the file.
func New(f *weights.File, opt Options) (*Network, error) {
	if f.Meta.Arch != Arch {
		return nil, fmt.Errorf("%s: architecture %q, want %q", f.Source, f.Meta.Arch, Arch)
	}
	r := &weights.Reader{File: f, Prefix: "encoder."}
	n := &Network{meta: f.Meta}
	filters, bias := nn.ReadConv(r, "conv1", "bn1", -1, 3, 7)
	if r.Err != nil {
		return nil, r.Err
	}
	n.stem = nn.NewStrided(filters, bias, 2)
	channels := len(bias)
	held := len(f.Meta.Widths)
	if held < 1 || held > stages {
		return nil, fmt.Errorf("%s: widths %v, want those of one to %d stages", f.Source, f.Meta.Widths, stages)
	}
	n.blocks = make([][]*block, held)
	for stage := range n.blocks {
		for i := 0; i == 0 || r.Has(fmt.Sprintf("layer%d.%d.conv1.weight", stage+1, i)); i++ {
			stride := 1
			if i == 0 && stage > 0 {
				stride = 2
			}
			b := readBlock(r, fmt.Sprintf("layer%d.%d.", stage+1, i), channels, stride, opt.LowMemory)
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
	n.Convolutional = nn.Convolutional{Name: "a ResNet", Stride: Stride >> (stages - held), Channels: channels, Equipment: opt.Context(), Layers: n.layers}
	return n, nil
}

// Meta returns the metadata of the weights file.
func (n *Network) Meta() weights.Meta { return n.meta }

// Channels is the number of channels of an embedding, C.
func (n *Network) Channels() int { return n.Convolutional.Channels }

// layers passes a map through all layers. What is shown leaves the pooling behind the
// first convolution, and then each block.
func (n *Network) layers(c *nn.Context, input *nn.Map, show func(*nn.Map)) *nn.Map {
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
