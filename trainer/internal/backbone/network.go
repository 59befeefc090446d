// Package backbone is the ResNet-12 in training: the network of internal/backbone with batch
// statistics and a backward pass, on a device of package device. A [Plan] selects its size, from
// a run's settings or from the initial weights file. The package also has the layers and losses
// that follow the network, and the optimizer ([SGD]) with its schedules.
package backbone

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Network is a ResNet-12 in training. It keeps the inputs of its backward pass in buffers, which it
// allocates again only if the shape of the batch changes. It is not safe for concurrent use.
type Network struct {
	device device.Device
	pool   gridPool
	widths []int
	blocks [core.Blocks]*block
	ctx    nn.Context

	gradient    device.Map // of the last map
	meanPools   bool       // whether the features may be means
	mean, dmean device.Map // of the last map, if its features are means

	done func(finished ...*device.Param) // receives weights with complete gradients; may be nil
	mix  *Mix                            // of the last forward pass, unless nil
}

// Options configure a network. The zero value uses all cores.
type Options struct {
	Threads int           // limits the goroutines of the layers that follow the blocks; 0 for all cores
	Device  device.Device // computes the blocks; nil for the processor in float32
}

// Build returns the network of a plan with random weights. It returns the same errors as
// [Plan.Check].
func (p Plan) Build(seed uint64, opt Options) (*Network, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if opt.Device == nil {
		opt.Device = device.NewFloat32(opt.Threads)
	}
	b := &Network{device: opt.Device, widths: slices.Clone(p.Widths), pool: gridPool{grid: p.Grid}, ctx: nn.Options{Threads: opt.Threads}.Context()}
	r := rand.New(rand.NewPCG(seed, 12))
	in := 3
	for i, out := range p.Widths {
		b.blocks[i] = newBlock(b.device, fmt.Sprintf("encoder.layer%d.0.", i+1), i == 0, in, out, r)
		in = out
	}
	return b, nil
}

// Device returns the device that computes the blocks.
func (b *Network) Device() device.Device { return b.device }

// Params lists all weights in the order of the network.
func (b *Network) Params() []*device.Param {
	var params []*device.Param
	for _, block := range b.blocks {
		params = append(params, block.params()...)
	}
	return params
}

// Norms lists all batch normalizations in the order of the network.
func (b *Network) Norms() []*device.BatchNorm {
	var norms []*device.BatchNorm
	for _, block := range b.blocks {
		norms = append(norms, block.norms()...)
	}
	return norms
}

// Channels returns the number of channels of the last map.
func (b *Network) Channels() int { return b.widths[core.Blocks-1] }

// Context returns the network's context, for the layers that follow it.
func (b *Network) Context() *nn.Context { return &b.ctx }

// MeanPool allows a device with its own memory to return the mean of an image's positions,
// [N, 1, 1, C], instead of the map: a classifier needs no more, and it has a fraction of the bytes.
func (b *Network) MeanPool(allow bool) { b.meanPools = allow }

// Forward computes the feature map of a normalized batch [N, H, W, 3] with the statistics of the
// batch: [N, ⌊H/16⌋, ⌊W/16⌋, C], unless the plan's grid is smaller. The map is valid until the next
// call.
func (b *Network) Forward(batch *tensor.Tensor) *nn.Map { return b.ForwardMixed(batch, nil) }

// ForwardMixed is Forward with blended images, unless mix is nil. The next Backward goes back through the
// blend.
func (b *Network) ForwardMixed(batch *tensor.Tensor, mix *Mix) *nn.Map {
	b.mix = mix
	batch.MustShape("batch", -1, -1, -1, 3)
	x := b.device.Images(batch.Data, batch.Shape[0], batch.Shape[1], batch.Shape[2])
	for i, block := range b.blocks {
		if b.mixes(i) {
			b.device.Blend(x, b.mix.Share, b.mix.Partners)
		}
		x = block.forward(x)
	}
	n, h, w, c := x.Size()
	if !fits(b.gradient, n, h, w) {
		b.gradient, b.mean = b.device.Map(n, h, w, c), nil
	}
	if r := b.device.Resident(); r != nil && b.meanPools && !b.pool.shrinks(h, w) {
		if b.mean == nil {
			b.mean, b.dmean = b.device.Map(n, 1, 1, c), b.device.Map(n, 1, 1, c)
		}
		r.MeanPool(b.mean, x)
		x = b.mean
	} else {
		b.mean = nil
	}
	return b.pool.forward(&b.ctx, b.device.Features(x))
}

// Backward sets the gradients of all weights from the gradient of the features of the last Forward,
// [N, h, w, C].
func (b *Network) Backward(features []float32) {
	g := b.gradient
	if b.mean != nil {
		b.device.SetGradient(b.dmean, features)
		b.device.Resident().Spread(g, b.dmean)
	} else {
		b.device.SetGradient(g, b.pool.backward(&b.ctx, features))
	}
	for i := len(b.blocks) - 1; i >= 0; i-- {
		g = b.blocks[i].backward(g)
		if i > 0 && b.mixes(i) {
			b.device.Blend(g, b.mix.Share, b.mix.gradientPartners())
		}
		if b.done != nil {
			b.done(b.blocks[i].params()...)
		}
	}
}

// Fitting returns the largest half, quarter … of n images of size×size pixels that fit into a
// device's memory in training, or 0.
func (b *Network) Fitting(n, size int) int {
	for n /= 2; n >= 2; n /= 2 {
		b.device.Resident().Recover()
		for _, block := range b.blocks {
			block.release()
		}
		b.gradient, b.mean = nil, nil
		b.Backward(b.Forward(tensor.New(n, size, size, 3)).Tensor().Data)
		if b.device.Err() == nil {
			return n
		}
	}
	return 0
}

// OnGradients makes Backward call done, block by block, with the weights whose gradients are complete.
func (b *Network) OnGradients(done func(finished ...*device.Param)) { b.done = done }

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

func (b *Network) mixes(blocks int) bool { return b.mix != nil && b.mix.At == blocks }

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

// Export adds weights and running statistics to the file.
func Export(f *weights.File, params []*device.Param, norms []*device.BatchNorm) {
	for _, p := range params {
		f.Tensors[p.Name] = p.Export(p.Value)
	}
	for _, bn := range norms {
		mean, variance := bn.Running()
		f.Tensors[bn.Name()+".running_mean"], f.Tensors[bn.Name()+".running_var"] = mean, variance
	}
}

// Import loads weights of the same widths, and running statistics. After an error about an absent
// tensor, a different shape or a negative variance, the network is partly changed.
func (b *Network) Import(f *weights.File) error {
	for _, p := range b.Params() {
		t, err := f.Tensor(p.Name, p.Shape()...)
		if err != nil {
			return err
		}
		p.Import(t)
	}
	for _, bn := range b.Norms() {
		mean, variance := bn.Running()
		for name, to := range map[string]*tensor.Tensor{".running_mean": mean, ".running_var": variance} {
			t, err := f.Tensor(bn.Name()+name, to.Shape...)
			if err != nil {
				return err
			}
			copy(to.Data, t.Data)
		}
		if err := nn.CheckVariance(f.Source, bn.Name()+".running_var", variance.Data); err != nil {
			return err
		}
		bn.SetRunning(mean, variance)
	}
	return nil
}
