// Package residual is the ResNet of He et al., "Deep Residual Learning for Image
// Recognition" (2016), with 18, 34, 50 or more layers, as torchvision has it, for
// inference. Batch normalisation is folded into the convolutions.
package residual

import (
	"fmt"
	"runtime"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = "resnet"

// relu is the slope below zero of its activation.
const relu = 0

// stages follow each other, each with half the positions of the one before it.
const stages = 4

// Stride is how many pixels of the input lie between positions of the last map.
const Stride = 32

// chunk is the number of pictures that go through the network together.
const chunk = 8

// Options say how a network runs. The zero value is the fastest way.
type Options struct {
	Threads   int         // at most this many at the same time; 0 for all cores
	LowMemory bool        // direct convolutions only
	Kernels   *kernel.Set // nil for the best of this machine
}

// Network is a ResNet. It is not safe for concurrent use.
type Network struct {
	meta   weights.Meta
	stem   *nn.Strided
	blocks [stages][]*block
	ctx    nn.Context

	input, begun, pooled *nn.Map
	output               *tensor.Tensor
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
	n := &Network{meta: f.Meta, ctx: nn.Context{Kernels: opt.Kernels, Threads: opt.Threads}}
	filters, bias := nn.ReadConv(r, "conv1", "bn1", -1, 3, 7)
	if r.Err != nil {
		return nil, r.Err
	}
	n.stem = nn.NewStrided(filters, bias, 2)
	channels := len(bias)
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
		if len(f.Meta.Widths) != stages || f.Meta.Widths[stage] != channels {
			return nil, fmt.Errorf("%s: widths %v, the last block of stage %d has %d channels", f.Source, f.Meta.Widths, stage+1, channels)
		}
	}
	if n.ctx.Kernels == nil {
		n.ctx.Kernels = kernel.Best()
	}
	if n.ctx.Threads <= 0 {
		n.ctx.Threads = runtime.GOMAXPROCS(0)
	}
	return n, nil
}

// Meta returns the metadata of the weights file.
func (n *Network) Meta() weights.Meta { return n.meta }

// Kernels is the name of the kernels that the network runs on.
func (n *Network) Kernels() string { return n.ctx.Kernels.Name() }

// Channels is the number of channels of an embedding, C.
func (n *Network) Channels() int { return n.meta.Widths[stages-1] }

// Forward computes the last feature map of each picture: batch [N, H, W, 3], normalised,
// gives [N, ⌈H/32⌉, ⌈W/32⌉, C]. The result is valid until the next call.
//
// # Errors
//
// A batch of another shape, or of pictures of fewer than 32 pixels.
func (n *Network) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if err := check(batch); err != nil {
		return nil, err
	}
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	rows, columns := (h+Stride-1)/Stride, (w+Stride-1)/Stride
	if n.output == nil || !n.output.HasShape(count, rows, columns, n.Channels()) {
		n.output = tensor.New(count, rows, columns, n.Channels())
	}
	for from := 0; from < count; from += chunk {
		size := min(chunk, count-from)
		maps := n.run(tensor.Of(batch.Data[from*h*w*3:(from+size)*h*w*3], size, h, w, 3), nil)
		maps.Store(n.output.Data[from*len(n.output.Data)/count:])
	}
	return n.output, nil
}

// BlockOutputs computes what leaves the pooling behind the first convolution, and then
// each block: tensors [N, h, w, C]. Errors are those of Forward.
func (n *Network) BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error) {
	if err := check(batch); err != nil {
		return nil, err
	}
	var outputs []*tensor.Tensor
	n.run(batch, func(m *nn.Map) { outputs = append(outputs, m.Tensor()) })
	return outputs, nil
}

// run passes a batch through all blocks and shows what leaves each, if show is not nil.
// The result belongs to the last block.
func (n *Network) run(batch *tensor.Tensor, show func(*nn.Map)) *nn.Map {
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || n.input.N != count || n.input.H != h || n.input.W != w {
		n.input = nn.NewInput(count, h, w, 3)
		h, w = n.stem.Sides(h, w)
		channels := n.blocks[0][0].in
		n.begun, n.pooled = nn.NewMap(count, h, w, channels), nn.NewMap(count, (h+1)/2, (w+1)/2, channels)
	}
	n.input.Load(batch.Data)
	n.stem.Run(&n.ctx, n.begun, n.input, false, relu)
	nn.MaxPool3(&n.ctx, n.pooled, n.begun)
	x := n.pooled
	if show != nil {
		show(x)
	}
	for _, stage := range n.blocks {
		for _, b := range stage {
			x = b.run(&n.ctx, x)
			if show != nil {
				show(x)
			}
		}
	}
	return x
}

func check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of pictures has shape %v, want [N H W 3]", batch.Shape)
	}
	if batch.Shape[1] < Stride || batch.Shape[2] < Stride {
		return fmt.Errorf("pictures of %d×%d pixels: a ResNet needs at least %d×%d", batch.Shape[2], batch.Shape[1], Stride, Stride)
	}
	return nil
}
