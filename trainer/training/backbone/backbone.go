package backbone

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/bfloat16"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// Network is a backbone that learns. It keeps what its backward pass needs of the last
// forward pass, in buffers that are made again only when the shape of the batch changes.
// It is not safe for concurrent use.
type Network interface {
	// Params lists all weights, in the order of the network.
	Params() []*optim.Param
	// Norms lists all batch normalisations, in the order of the network; none in a
	// vision transformer.
	Norms() []*layer.BatchNorm
	// Context is the network's own, for the layers that follow it.
	Context() *nn.Context
	// Channels is the number of channels of the last map.
	Channels() int
	// Forward computes the feature map [N, h, w, C] of a normalised batch [N, H, W, 3]
	// with the statistics of the batch. What is dropped is drawn from noise; nil drops
	// nothing. The map is valid until the next call.
	Forward(batch *tensor.Tensor, noise *rand.Rand) *nn.Map
	// Backward sets the gradients of all weights from that of the features of the last
	// Forward, in the same layout: [N, h, w, C].
	Backward(features []float32)
	// Announce has Backward call done with weights whose gradients are finished, from the
	// last layers to the first, each once; they may be sent while it computes on.
	Announce(done func(finished ...*optim.Param))
	// Describe says in the metadata of a file which network it holds.
	Describe(meta *weights.Meta)
}

// Options say how a network runs. The zero value uses all cores.
type Options struct {
	Threads int         // at most this many at the same time; 0 for all cores
	Kernels *kernel.Set // nil for the best of this machine
	// DropBlock is the share of pixels that the last two blocks of a ResNet-12 drop in
	// training.
	DropBlock float64
	// Mixed, unless nil, are the kernels of mixed precision of a ResNet-12: activations
	// and gradients of activations are bfloat16, see [Precision].
	Mixed *bfloat16.Kernels
}

// Export returns the weights of a network as inference reads them; meta says the rest.
func Export(n Network, meta weights.Meta) *weights.File {
	n.Describe(&meta)
	f := &weights.File{Source: "backbone in training", Meta: meta, Tensors: map[string]*tensor.Tensor{}}
	layer.Export(f, n.Params(), n.Norms())
	return f
}

// Import takes weights of the same architecture and widths from a file.
//
// # Errors
//
// Absent tensors or ones of another shape; the network is then half changed.
func Import(n Network, f *weights.File) error { return layer.Import(f, n.Params(), n.Norms()) }
