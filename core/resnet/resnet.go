// Package resnet is the backbone: the ResNet-12 of few-shot learning, of any
// widths, for inference.
//
// Four residual blocks, each conv3×3-BN-LeakyReLU twice, conv3×3-BN, plus a
// shortcut conv1×1-BN, a LeakyReLU and a 2×2 max-pool. A picture of 84×84 pixels
// becomes 5×5 local embeddings.
package resnet

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = "resnet12"

// Blocks is the number of residual blocks; each halves the side of the map.
const Blocks = 4

// MinSize is the smallest side, in pixels, that leaves a position after all blocks.
const MinSize = 1 << Blocks

// chunk is the number of pictures that go through the network together: enough to
// read a block's filters from memory once for many pictures.
const chunk = 16

// Options say how a network runs.
type Options = nn.Options

// Network is a ResNet-12 with its batch normalisation folded in. It is not safe
// for concurrent use.
type Network struct {
	meta   weights.Meta
	blocks [Blocks]*block
	ctx    nn.Context

	input  *nn.Map
	output *tensor.Tensor
}

// New builds the network that the file's metadata describe.
//
// # Errors
//
// Another architecture, widths that are not a ResNet-12's, and tensors that are
// absent or have another shape. Every error names the file.
func New(f *weights.File, opt Options) (*Network, error) {
	if f.Meta.Arch != Arch {
		return nil, fmt.Errorf("%s: architecture %q, only %q works here", f.Source, f.Meta.Arch, Arch)
	}
	if len(f.Meta.Widths) != Blocks {
		return nil, fmt.Errorf("%s: %d widths %v, want one for each of the %d blocks", f.Source, len(f.Meta.Widths), f.Meta.Widths, Blocks)
	}
	n := &Network{meta: f.Meta, ctx: opt.Context()}
	in := 3
	for i, out := range f.Meta.Widths {
		if out <= 0 {
			return nil, fmt.Errorf("%s: block %d has width %d, want a positive one", f.Source, i+1, out)
		}
		b, err := readBlock(f, i+1, in, out, opt.LowMemory)
		if err != nil {
			return nil, err
		}
		n.blocks[i] = b
		in = out
	}
	return n, nil
}

// Meta returns the metadata of the weights file.
func (n *Network) Meta() weights.Meta { return n.meta }

// Kernels is the name of the kernels that the network runs on.
func (n *Network) Kernels() string { return n.ctx.Kernels.Name() }

// Channels is the number of channels of an embedding, C.
func (n *Network) Channels() int { return n.meta.Widths[Blocks-1] }

// Forward computes the final feature map of each picture: batch [N, H, W, 3],
// normalised, gives [N, ⌊H/16⌋, ⌊W/16⌋, C]. The result is valid until the next
// call.
//
// # Errors
//
// A batch of another shape, or of pictures smaller than [MinSize].
func (n *Network) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if err := check(batch); err != nil {
		return nil, err
	}
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	n.reserve(count, h>>Blocks, w>>Blocks)
	if count <= chunk {
		n.run(batch).Store(n.output.Data)
		return n.output, nil
	}
	for from := 0; from < count; from += chunk {
		size := min(chunk, count-from)
		maps := n.run(tensor.Of(batch.Data[from*h*w*3:(from+size)*h*w*3], size, h, w, 3))
		maps.Store(n.output.Data[from*len(n.output.Data)/count:])
	}
	return n.output, nil
}

// reserve makes n.output [count, h, w, C], in its own memory if that is enough.
func (n *Network) reserve(count, h, w int) {
	size := count * h * w * n.Channels()
	if n.output != nil && n.output.HasShape(count, h, w, n.Channels()) {
		return
	}
	if n.output == nil || cap(n.output.Data) < size {
		n.output = tensor.New(count, h, w, n.Channels())
		return
	}
	n.output = tensor.Of(n.output.Data[:size], count, h, w, n.Channels())
}

// BlockOutputs computes the output of each block for a batch, as in
// [Network.Forward]: four tensors [N, ⌊H/2^i⌋, ⌊W/2^i⌋, C_i], i = 1…4.
func (n *Network) BlockOutputs(batch *tensor.Tensor) ([Blocks]*tensor.Tensor, error) {
	var outputs [Blocks]*tensor.Tensor
	if err := check(batch); err != nil {
		return outputs, err
	}
	n.run(batch)
	for i, b := range n.blocks {
		outputs[i] = b.pooled.Tensor()
	}
	return outputs, nil
}

// run passes a batch through all blocks; the result belongs to the last block.
func (n *Network) run(batch *tensor.Tensor) *nn.Map {
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || n.input.N != count || n.input.H != h || n.input.W != w {
		n.input = nn.NewInput(count, h, w, 3)
	}
	n.input.Load(batch.Data)
	x := n.input
	for _, b := range n.blocks {
		x = b.run(&n.ctx, x)
	}
	return x
}

func check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of pictures has shape %v, want [N H W 3]", batch.Shape)
	}
	if batch.Shape[1] < MinSize || batch.Shape[2] < MinSize {
		return fmt.Errorf("pictures of %d×%d pixels: a ResNet-12 needs at least %d×%d", batch.Shape[2], batch.Shape[1], MinSize, MinSize)
	}
	return nil
}
