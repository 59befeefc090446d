package backbone

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"

	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// Network is a ResNet-12 that learns. It keeps what its backward pass needs of
// the last forward pass, in buffers that are made again only when the shape of
// the batch changes. It is not safe for concurrent use.
type Network struct {
	pool   gridPool
	widths []int
	blocks [backbone.Blocks]*block
	ctx    nn.Context

	input    *nn.Map
	features *nn.Map // in mixed precision
	gradient *nn.Map // of the features

	done func(finished ...*Param) // with their gradients; nil for nobody to tell

	halves       [backbone.Blocks]*half // in mixed precision; else nil
	columns      *bfloat16.Map
	halfGradient *bfloat16.Map

	mix           *Mix // of the last forward pass; nil for none, or of the pictures
	blended, held []float32
}

// Options say how a network runs. The zero value uses all cores.
type Options struct {
	Threads int         // at most this many at the same time; 0 for all cores
	Kernels *kernel.Set // nil for the best of this machine
	// DropBlock is the share of pixels that the last two blocks drop in training.
	DropBlock float64
	// Mixed, unless nil, are the kernels of mixed precision: activations and
	// gradients of activations are bfloat16, see [Precision].
	Mixed *bfloat16.Kernels
}

// dropBlockSize is the side in pixels of what DropBlock drops, as in the
// reference's ResNet-12.
const dropBlockSize = 5

// Build returns the network of a plan with random weights.
//
// # Errors
//
// The same as [Plan.Check].
func (p Plan) Build(seed uint64, opt Options) (*Network, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	b := &Network{widths: slices.Clone(p.Widths), pool: gridPool{grid: p.Grid}, ctx: nn.Context{Kernels: opt.Kernels, Threads: opt.Threads}}
	if b.ctx.Kernels == nil {
		b.ctx.Kernels = kernel.Best()
	}
	if b.ctx.Threads <= 0 {
		b.ctx.Threads = runtime.GOMAXPROCS(0)
	}
	r := rand.New(rand.NewPCG(seed, 12))
	in := 3
	for i, out := range p.Widths {
		b.blocks[i] = newBlock(fmt.Sprintf("encoder.layer%d.0.", i+1), i == 0, in, out, r)
		if opt.DropBlock > 0 && i >= 2 {
			b.blocks[i].drop = &DropBlock{Rate: opt.DropBlock, Size: dropBlockSize}
		}
		if opt.Mixed != nil {
			if i == 0 {
				in = columns
			}
			b.halves[i] = newHalf(b.blocks[i], opt.Mixed, in)
		}
		in = out
	}
	return b, nil
}

// Params lists all weights, in the order of the network.
func (b *Network) Params() []*Param {
	var params []*Param
	for _, block := range b.blocks {
		params = append(params, block.params()...)
	}
	return params
}

// Norms lists all batch normalisations, in the order of the network.
func (b *Network) Norms() []*BatchNorm {
	var norms []*BatchNorm
	for _, block := range b.blocks {
		norms = append(norms, block.norm1, block.norm2, block.norm3, block.normShortcut)
	}
	return norms
}

// Channels is the number of channels of the last map.
func (b *Network) Channels() int { return b.widths[backbone.Blocks-1] }

// Context is the network's own, for the layers that follow it.
func (b *Network) Context() *nn.Context { return &b.ctx }

// Forward computes the feature map of a normalised batch [N, H, W, 3] with the
// statistics of the batch: [N, ⌊H/16⌋, ⌊W/16⌋, C], or as many positions as the plan's
// grid. DropBlock draws from noise; nil drops nothing. The map is valid until the next call.
func (b *Network) Forward(batch *tensor.Tensor, noise *rand.Rand) *nn.Map {
	b.mix = nil
	return b.forward(batch, noise)
}

func (b *Network) forward(batch *tensor.Tensor, noise *rand.Rand) *nn.Map {
	batch.MustShape("batch", -1, -1, -1, 3)
	if b.halves[0] != nil {
		return b.pool.forward(&b.ctx, b.forwardHalf(batch, noise))
	}
	return b.pool.forward(&b.ctx, b.forwardFull(batch, noise))
}

func (b *Network) forwardFull(batch *tensor.Tensor, noise *rand.Rand) *nn.Map {
	n, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if b.input == nil || b.input.N != n || b.input.H != h || b.input.W != w {
		b.input = nn.NewInput(n, h, w, 3)
		b.gradient = nn.NewMap(n, h>>backbone.Blocks, w>>backbone.Blocks, b.widths[backbone.Blocks-1])
	}
	b.input.Load(batch.Data)
	x := b.input
	for i, block := range b.blocks {
		b.mixForward(i, x)
		x = block.forward(&b.ctx, x, noise)
	}
	return x
}

// Backward sets the gradients of all weights from that of the features of the
// last Forward, in the same layout: [N, h, w, C].
func (b *Network) Backward(features []float32) {
	b.gradient.Load(b.pool.backward(&b.ctx, features))
	if b.halves[0] != nil {
		b.backwardHalf()
		return
	}
	g := b.gradient
	for i := len(b.blocks) - 1; i >= 0; i-- {
		g = b.blocks[i].backward(&b.ctx, g)
		b.mixBackward(i, g)
		b.finished(i)
	}
}

// Announce has Backward call done with weights whose gradients are finished, block by block.
func (b *Network) Announce(done func(finished ...*Param)) { b.done = done }

// finished tells of a block's gradients.
func (b *Network) finished(block int) {
	if b.done != nil {
		b.done(b.blocks[block].params()...)
	}
}

// columns is the number of values that a 3×3 convolution reads of a picture for
// each pixel.
const columns = 9 * 3

func (b *Network) forwardHalf(batch *tensor.Tensor, noise *rand.Rand) *nn.Map {
	n, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if !b.columns.Fits(n, h, w) {
		k := b.halves[0].kernels
		b.columns = k.NewMap(n, h, w, columns)
		last := b.widths[backbone.Blocks-1]
		b.features = nn.NewMap(n, h>>backbone.Blocks, w>>backbone.Blocks, last)
		b.gradient = nn.NewMap(n, h>>backbone.Blocks, w>>backbone.Blocks, last)
		b.halfGradient = k.NewMap(n, h>>backbone.Blocks, w>>backbone.Blocks, last)
	}
	b.columns.LoadColumns(&b.ctx, batch.Data)
	x := b.columns
	for i, block := range b.halves {
		b.mixHalf(i, x, false)
		x = block.forward(&b.ctx, x, noise)
	}
	x.Store(&b.ctx, b.features)
	return b.features
}

func (b *Network) backwardHalf() {
	b.halfGradient.Load(&b.ctx, b.gradient)
	g := b.halfGradient
	for i := len(b.halves) - 1; i >= 0; i-- {
		g = b.halves[i].backward(&b.ctx, g)
		b.mixHalf(i, g, true)
		b.finished(i)
	}
}
