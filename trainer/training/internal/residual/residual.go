package residual

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// stem is the name of the first convolution.
const stem = "conv1"

// Network is a ResNet that learns. It keeps what its backward pass needs of the last
// forward pass. It is not safe for concurrent use.
type Network struct {
	plan   Plan
	ctx    nn.Context
	first  *unit
	blocks []*block

	input, pooled      *nn.Map
	features, gradient *nn.Map // of the last map; the first is a block's

	done func(finished ...*optim.Param) // with their gradients; nil for nobody to tell
}

// New returns a network of random weights on so many threads, 0 for all cores, and
// kernels, nil for the best of this machine.
func New(p Plan, seed uint64, threads int, kernels *kernel.Set) *Network {
	r := rand.New(rand.NewPCG(seed, 18))
	n := &Network{plan: p, ctx: nn.Options{Threads: threads, Kernels: kernels}.Context()}
	n.first = newUnit(stem, "bn1", 3, p.Stem, 7, 2, r)
	in := p.Stem
	for stage, blocks := range p.Stages {
		for i, shape := range blocks {
			stride := 1
			if i == 0 && stage > 0 {
				stride = 2
			}
			n.blocks = append(n.blocks, newBlock(stage, i, in, stride, shape, r))
			in = shape.Widths[len(shape.Widths)-1]
		}
	}
	return n
}

// units lists all convolutions, in the order of the network.
func (n *Network) units() []*unit {
	all := []*unit{n.first}
	for _, b := range n.blocks {
		all = append(all, b.all()...)
	}
	return all
}

// Params lists all weights, in the order of the network.
func (n *Network) Params() []*optim.Param {
	var params []*optim.Param
	for _, u := range n.units() {
		params = append(params, u.params()...)
	}
	return params
}

// Norms lists all batch normalisations, in the order of the network.
func (n *Network) Norms() []*layer.BatchNorm {
	var norms []*layer.BatchNorm
	for _, u := range n.units() {
		norms = append(norms, u.norm)
	}
	return norms
}

// Context is the network's own, for the layers that follow it.
func (n *Network) Context() *nn.Context { return &n.ctx }

// Channels is the number of channels of the last map.
func (n *Network) Channels() int { return n.plan.Widths()[stages-1] }

// Describe says in the metadata of a file which network it holds.
func (n *Network) Describe(meta *weights.Meta) { meta.Arch, meta.Widths = Arch, n.plan.Widths() }

// Forward computes the feature map of a normalised batch [N, H, W, 3] with the statistics
// of the batch: [N, ⌈H/32⌉, ⌈W/32⌉, C]. The map is valid until the next call.
func (n *Network) Forward(batch *tensor.Tensor, _ *rand.Rand) *nn.Map {
	batch.MustShape("batch", -1, -1, -1, 3)
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || n.input.N != count || n.input.H != h || n.input.W != w {
		n.input = nn.NewInput(count, h, w, 3)
	}
	n.input.Load(batch.Data)
	begun := n.first.forward(&n.ctx, n.input, nil, layer.ReLU)
	n.pooled = n.pooled.Fit(count, (begun.H+1)/2, (begun.W+1)/2, n.plan.Stem)
	nn.MaxPool3(&n.ctx, n.pooled, begun)
	x := n.pooled
	for _, b := range n.blocks {
		x = b.forward(&n.ctx, x)
	}
	n.features = x
	return x
}

// Backward sets the gradients of all weights from that of the features of the last
// Forward, in the same layout: [N, h, w, C].
func (n *Network) Backward(features []float32) {
	m := n.features
	n.gradient = n.gradient.Fit(m.N, m.H, m.W, m.C)
	n.gradient.Load(features)
	g := n.gradient
	for i := len(n.blocks) - 1; i >= 0; i-- {
		g = n.blocks[i].backward(&n.ctx, g)
		for _, u := range n.blocks[i].all() {
			n.finished(u)
		}
	}
	layer.Unpool3(&n.ctx, n.first.dz, g, n.first.y)
	layer.Unrectify(&n.ctx, n.first.dz, n.first.y)
	n.first.backward(&n.ctx, nil, n.first.dz, false)
	n.finished(n.first)
}

// Announce has Backward call done with weights whose gradients are finished, block by block.
func (n *Network) Announce(done func(finished ...*optim.Param)) { n.done = done }

// finished tells of a convolution's gradients.
func (n *Network) finished(u *unit) {
	if n.done != nil {
		n.done(u.params()...)
	}
}
