// Package backbone is the ResNet-12 in training: the network of internal/backbone with batch
// statistics and a backward pass, in float32 or in mixed precision. A [Plan] selects its size, from
// a run's settings or from the initial weights file. The package also has the layers and losses
// that follow the network, and the optimizer ([SGD]) with its schedules.
package backbone

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// Network is a ResNet-12 in training. It keeps the inputs of its backward pass in buffers, which it
// allocates again only if the shape of the batch changes. It is not safe for concurrent use.
type Network struct {
	pool   gridPool
	widths []int
	blocks [core.Blocks]*block
	ctx    nn.Context

	input    *nn.Map
	features *nn.Map // in mixed precision
	gradient *nn.Map // of the features

	done func(finished ...*Param) // receives weights with complete gradients; may be nil

	halves       [core.Blocks]*mixedBlock // nil in float32
	columns      *bfloat16.Map
	halfGradient *bfloat16.Map

	mix           *Mix // of the last forward pass, unless nil or of the images
	blended, held []float32
}

// Options configure a network. The zero value uses all cores.
type Options struct {
	Threads int         // limits the goroutines; 0 for all cores
	Kernels *kernel.Set // nil for the best of this machine
	// Mixed, unless nil, are the kernels of mixed precision: activations and their gradients are
	// bfloat16, see [Precision].
	Mixed *bfloat16.Kernels
}

// Build returns the network of a plan with random weights. It returns the same errors as
// [Plan.Check].
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

// Params lists all weights in the order of the network.
func (b *Network) Params() []*Param {
	var params []*Param
	for _, block := range b.blocks {
		params = append(params, block.params()...)
	}
	return params
}

// Norms lists all batch normalizations in the order of the network.
func (b *Network) Norms() []*BatchNorm {
	var norms []*BatchNorm
	for _, block := range b.blocks {
		norms = append(norms, block.norm1, block.norm2, block.norm3, block.normShortcut)
	}
	return norms
}

// Channels returns the number of channels of the last map.
func (b *Network) Channels() int { return b.widths[core.Blocks-1] }

// Context returns the network's context, for the layers that follow it.
func (b *Network) Context() *nn.Context { return &b.ctx }

// Forward computes the feature map of a normalized batch [N, H, W, 3] with the statistics of the
// batch: [N, ⌊H/16⌋, ⌊W/16⌋, C], unless the plan's grid is smaller. The map is valid until the next
// call.
func (b *Network) Forward(batch *tensor.Tensor) *nn.Map {
	b.mix = nil
	return b.forward(batch)
}

func (b *Network) forward(batch *tensor.Tensor) *nn.Map {
	batch.MustShape("batch", -1, -1, -1, 3)
	if b.halves[0] != nil {
		return b.pool.forward(&b.ctx, b.forwardHalf(batch))
	}
	return b.pool.forward(&b.ctx, b.forwardFull(batch))
}

func (b *Network) forwardFull(batch *tensor.Tensor) *nn.Map {
	n, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if b.input == nil || b.input.N != n || b.input.H != h || b.input.W != w {
		b.input = nn.NewInput(n, h, w, 3)
		b.gradient = nn.NewMap(n, h>>core.Blocks, w>>core.Blocks, b.widths[core.Blocks-1])
	}
	b.input.Load(batch.Data)
	x := b.input
	for i, block := range b.blocks {
		if b.mixes(i) {
			b.blend(x.Data, b.mix.Share, b.mix.Partners)
		}
		x = block.forward(&b.ctx, x)
	}
	return x
}

// Backward sets the gradients of all weights from the gradient of the features of the last Forward,
// [N, h, w, C].
func (b *Network) Backward(features []float32) {
	b.gradient.Load(b.pool.backward(&b.ctx, features))
	if b.halves[0] != nil {
		b.backwardHalf()
		return
	}
	g := b.gradient
	for i := len(b.blocks) - 1; i >= 0; i-- {
		g = b.blocks[i].backward(&b.ctx, g)
		if b.mixes(i) {
			b.blend(g.Data, b.mix.Share, b.mix.gradientPartners())
		}
		b.finished(i)
	}
}

// OnGradients makes Backward call done, block by block, with the weights whose gradients are complete.
func (b *Network) OnGradients(done func(finished ...*Param)) { b.done = done }

func (b *Network) finished(block int) {
	if b.done != nil {
		b.done(b.blocks[block].params()...)
	}
}

// columns is the number of input values of a 3×3 convolution of an image, per pixel.
const columns = 9 * 3

func (b *Network) forwardHalf(batch *tensor.Tensor) *nn.Map {
	n, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if !b.columns.Fits(n, h, w) {
		k := b.halves[0].kernels
		b.columns = k.NewMap(n, h, w, columns)
		last := b.widths[core.Blocks-1]
		b.features = nn.NewMap(n, h>>core.Blocks, w>>core.Blocks, last)
		b.gradient = nn.NewMap(n, h>>core.Blocks, w>>core.Blocks, last)
		b.halfGradient = k.NewMap(n, h>>core.Blocks, w>>core.Blocks, last)
	}
	b.columns.LoadColumns(&b.ctx, batch.Data)
	x := b.columns
	for i, block := range b.halves {
		if b.mixes(i) {
			x.Blend(&b.ctx, b.mix.Share, b.mix.Partners)
		}
		x = block.forward(&b.ctx, x)
	}
	x.Store(&b.ctx, b.features)
	return b.features
}

func (b *Network) backwardHalf() {
	b.halfGradient.Load(&b.ctx, b.gradient)
	g := b.halfGradient
	for i := len(b.halves) - 1; i >= 0; i-- {
		g = b.halves[i].backward(&b.ctx, g)
		if b.mixes(i) {
			g.Blend(&b.ctx, b.mix.Share, b.mix.gradientPartners())
		}
		b.finished(i)
	}
}

// Mix blends each image of a batch with a partner in one layer: manifold mixup (Verma et
// al., "Manifold Mixup: Better Representations by Interpolating Hidden States", 2019).
type Mix struct {
	// At is the number of blocks before the layer that is blended: 0 for the images
	// themselves, up to MixLayers − 1.
	At int
	// Share is the weight of an image; its partner has the remaining weight.
	Share float32
	// Partners is a permutation of the images. An image that is its own partner stays the same.
	Partners []int
}

// MixLayers is the number of layers that can be blended: the input, and the maps between the
// blocks.
const MixLayers = 4

// ForwardMixed is Forward with blended images. The next Backward goes back through the blend.
func (b *Network) ForwardMixed(batch *tensor.Tensor, mix Mix) *nn.Map {
	if mix.At == 0 {
		blended := tensor.Of(slices.Grow(b.blended[:0], len(batch.Data))[:len(batch.Data)], batch.Shape...)
		copy(blended.Data, batch.Data)
		b.blend(blended.Data, mix.Share, mix.Partners)
		b.blended = blended.Data
		return b.Forward(blended)
	}
	b.mix = &mix
	return b.forward(batch)
}

func (b *Network) mixes(blocks int) bool { return b.mix != nil && b.mix.At == blocks }

// blend blends the values of each image with the values of its partner.
func (b *Network) blend(values []float32, share float32, partners []int) {
	b.held = append(b.held[:0], values...)
	size := len(values) / len(partners)
	b.ctx.Split(len(partners), func(from, to int) {
		for i := from; i < to; i++ {
			partner := b.held[partners[i]*size:][:size]
			for k, v := range b.held[i*size:][:size] {
				values[i*size+k] = share*v + (1-share)*partner[k]
			}
		}
	})
}

// gradientPartners returns the partners for the gradient of the blend. The gradient of an image has two
// parts: from its own blend, and from the blend that it is the partner in.
func (m *Mix) gradientPartners() []int {
	of := make([]int, len(m.Partners))
	for i, p := range m.Partners {
		of[p] = i
	}
	return of
}

// Export returns the weights in the format of inference. meta has the other metadata.
func (b *Network) Export(meta weights.Meta) *weights.File {
	meta.Arch, meta.Widths = core.ArchResNet12, b.widths
	if b.pool.grid > 0 {
		if meta.Extra = maps.Clone(meta.Extra); meta.Extra == nil {
			meta.Extra = map[string]string{}
		}
		meta.Extra[core.KeyGrid] = strconv.Itoa(b.pool.grid)
	}
	f := &weights.File{Source: "backbone in training", Meta: meta, Tensors: map[string]*tensor.Tensor{}}
	Export(f, b.Params(), b.Norms())
	return f
}

// Import loads weights of the same widths. After an error about an absent tensor or a different
// shape, the network is partly changed.
func (b *Network) Import(f *weights.File) error { return Import(f, b.Params(), b.Norms()) }

// Export adds weights and running statistics to the file.
func Export(f *weights.File, params []*Param, norms []*BatchNorm) {
	for _, p := range params {
		f.Tensors[p.Name] = p.Export(p.Value)
	}
	for _, bn := range norms {
		mean, variance := bn.Running()
		f.Tensors[bn.Name()+".running_mean"], f.Tensors[bn.Name()+".running_var"] = mean, variance
	}
}

// Import loads weights and running statistics from a file. After an error about an absent tensor or
// a different shape, they are partly changed.
func Import(f *weights.File, params []*Param, norms []*BatchNorm) error {
	for _, p := range params {
		t, err := f.Tensor(p.Name, p.Shape()...)
		if err != nil {
			return err
		}
		p.Import(t)
	}
	for _, bn := range norms {
		mean, variance := bn.Running()
		for name, to := range map[string]*tensor.Tensor{".running_mean": mean, ".running_var": variance} {
			t, err := f.Tensor(bn.Name()+name, to.Shape...)
			if err != nil {
				return err
			}
			copy(to.Data, t.Data)
		}
		bn.SetRunning(mean, variance)
	}
	return nil
}
