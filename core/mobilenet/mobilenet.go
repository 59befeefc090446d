// Package mobilenet is MobileNetV2 (Sandler et al., "Inverted Residuals and Linear
// Bottlenecks", 2018) and MobileNetV3, large and small (Howard et al., "Searching for
// MobileNetV3", 2019), as torchvision has them, for inference. Batch normalisation is
// folded into the convolutions.
package mobilenet

import (
	"fmt"
	"runtime"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Arch is the architecture's name in the metadata of weights files.
const Arch = "mobilenet"

// Stride is how many pixels of the input lie between positions of the last map.
const Stride = 32

// chunk is the number of pictures that go through the network together.
const chunk = 8

// Options say how a network runs. The zero value is the fastest way.
type Options struct {
	Threads int         // at most this many at the same time; 0 for all cores
	Kernels *kernel.Set // nil for the best of this machine
}

// Network is a MobileNet. It is not safe for concurrent use.
type Network struct {
	meta   weights.Meta
	stem   *nn.Strided
	blocks []*block
	head   *nn.Strided // behind the last block
	after  nn.Activation
	ctx    nn.Context

	input, begun, last *nn.Map
	output             *tensor.Tensor
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
	n.ctx = nn.Context{Kernels: opt.Kernels, Threads: opt.Threads}
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
func (n *Network) Channels() int { return n.head.Channels() }

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

// BlockOutputs computes what leaves the first convolution, each block, and the last
// convolution: tensors [N, h, w, C]. Errors are those of Forward.
func (n *Network) BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error) {
	if err := check(batch); err != nil {
		return nil, err
	}
	var outputs []*tensor.Tensor
	n.run(batch, func(m *nn.Map) { outputs = append(outputs, m.Tensor()) })
	return outputs, nil
}

// run passes a batch through all layers and shows what leaves each block, if show is not
// nil.
func (n *Network) run(batch *tensor.Tensor, show func(*nn.Map)) *nn.Map {
	if show == nil {
		show = func(*nn.Map) {}
	}
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || n.input.N != count || n.input.H != h || n.input.W != w {
		n.input = nn.NewInput(count, h, w, 3)
		h, w = n.stem.Sides(h, w)
		n.begun, n.last = nn.NewMap(count, h, w, n.stem.Channels()), nil
	}
	n.input.Load(batch.Data)
	n.stem.Run(&n.ctx, n.begun, n.input, false, nn.Linear)
	n.after.Run(&n.ctx, n.begun)
	x := n.begun
	show(x)
	for _, b := range n.blocks {
		x = b.run(&n.ctx, x)
		show(x)
	}
	if n.last == nil {
		n.last = nn.NewMap(count, x.H, x.W, n.head.Channels())
	}
	n.head.Run(&n.ctx, n.last, x, false, nn.Linear)
	n.after.Run(&n.ctx, n.last)
	show(n.last)
	return n.last
}

func check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of pictures has shape %v, want [N H W 3]", batch.Shape)
	}
	if batch.Shape[1] < Stride || batch.Shape[2] < Stride {
		return fmt.Errorf("pictures of %d×%d pixels: a MobileNet needs at least %d×%d", batch.Shape[2], batch.Shape[1], Stride, Stride)
	}
	return nil
}
