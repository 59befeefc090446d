// Package mobilenet is MobileNetV2 (Sandler et al., "Inverted Residuals and Linear
// Bottlenecks", 2018) and MobileNetV3, large and small (Howard et al., "Searching for
// MobileNetV3", 2019), as torchvision has them, for inference. Batch normalisation is
// folded into the convolutions. A file may hold the first blocks alone: then the map that
// the last of them leaves is the network's.
package mobilenet

import (
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = "mobilenet"

// Stride is how many pixels of the input lie between positions of a whole network's map.
const Stride = 32

// Options say how a network runs.
type Options = nn.Options

// Network is a MobileNet. It is not safe for concurrent use.
type Network struct {
	nn.Convolutional
	meta        weights.Meta
	stem        *nn.Strided
	blocks      []*block
	head        nn.Pointwise // behind the last block, nil where the file ends with a block
	after       nn.Activation
	stride      int // pixels of the input between positions of the last map
	begun, last *nn.Map
}

// New builds the network that the file's metadata and tensors describe.
//
// # Errors
//
// Another architecture, a number of blocks that none of the versions has, and tensors that
// are absent or have another shape. Every error names the file.
func New(f *weights.File, opt Options) (*Network, error) {
	n, err := read(f)
	if err != nil {
		return nil, err
	}
	n.Convolutional = nn.Convolutional{Name: "a MobileNet", Stride: n.stride, Channels: f.Meta.Widths[0], Equipment: opt.Context(), Layers: n.layers}
	return n, nil
}

// Meta returns the metadata of the weights file.
func (n *Network) Meta() weights.Meta { return n.meta }

// Channels is the number of channels of an embedding, C.
func (n *Network) Channels() int { return n.Convolutional.Channels }

// layers passes a map through all layers. What is shown leaves the first convolution, each
// block, and the last convolution.
func (n *Network) layers(c *nn.Context, input *nn.Map, show func(*nn.Map)) *nn.Map {
	h, w := n.stem.Sides(input.H, input.W)
	n.begun = n.begun.FitBare(input.N, h, w, n.stem.Channels())
	n.stem.RunPast(c, n.begun, input, nil, n.after)
	x := n.begun
	show(x)
	for _, b := range n.blocks {
		x = b.run(c, x)
		show(x)
	}
	if n.head == nil {
		return x
	}
	n.last = n.last.FitBare(x.N, x.H, x.W, n.head.Channels())
	n.head.RunPast(c, n.last, x, nil, n.after)
	show(n.last)
	return n.last
}
