package vit

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// Network is a vision transformer that learns. It keeps what its backward pass needs of
// the last forward pass. It is not safe for concurrent use.
type Network struct {
	plan      Plan
	ctx       nn.Context
	embedding *embedding
	blocks    []*block
	norm      *layer.LayerNorm

	scratch  scratch
	tokens   []float32 // [rows, C], and behind the last normalisation; gradients, in the backward pass
	last     []float32
	features *nn.Map

	done func(finished ...*optim.Param) // with their gradients; nil for nobody to tell
}

// New returns a network of random weights on so many threads, 0 for all cores, and
// kernels, nil for the best of this machine.
func New(p Plan, seed uint64, threads int, kernels *kernel.Set) *Network {
	r := rand.New(rand.NewPCG(seed, 16))
	n := &Network{
		plan: p, ctx: nn.Options{Threads: threads, Kernels: kernels}.Context(), embedding: newEmbedding(p, r),
		norm: layer.NewLayerNorm(prefix+"norm", p.Channels, epsilon),
	}
	for i := range p.Depth {
		n.blocks = append(n.blocks, newBlock(p, i, r))
	}
	return n
}

// Params lists all weights, in the order of the network.
func (n *Network) Params() []*optim.Param {
	params := n.embedding.params()
	for _, b := range n.blocks {
		params = append(params, b.params()...)
	}
	return n.learnt(append(params, &n.norm.Weight, &n.norm.Bias))
}

// learnt leaves out of the parameters those that the plan does without.
func (n *Network) learnt(params []*optim.Param) []*optim.Param {
	return slices.DeleteFunc(params, func(p *optim.Param) bool { return n.plan.without[p.Name] })
}

// Announce has Backward call done with weights whose gradients are finished, block by block.
func (n *Network) Announce(done func(finished ...*optim.Param)) { n.done = done }

// finished tells of gradients.
func (n *Network) finished(params ...*optim.Param) {
	if n.done != nil {
		n.done(n.learnt(params)...)
	}
}

// Norms are none: there is no batch normalisation.
func (n *Network) Norms() []*layer.BatchNorm { return nil }

// Context is the network's own, for the layers that follow it.
func (n *Network) Context() *nn.Context { return &n.ctx }

// Channels is the number of channels of a token.
func (n *Network) Channels() int { return n.plan.Channels }

// Describe says in the metadata of a file which network it holds.
func (n *Network) Describe(meta *weights.Meta) {
	meta.Arch, meta.Widths, meta.Extra = Arch, []int{n.plan.Channels}, maps.Clone(meta.Extra)
	if meta.Extra == nil {
		meta.Extra = map[string]string{}
	}
	meta.Extra[backbone.KeyHeads], meta.Extra[backbone.KeyPositions] = strconv.Itoa(n.plan.Heads), n.plan.Positions
}

// Forward computes the tokens of the patches of a normalised batch [N, H, W, 3]:
// [N, H/patch, W/patch, C]. The map is valid until the next call.
func (n *Network) Forward(batch *tensor.Tensor, _ *rand.Rand) *nn.Map {
	batch.MustShape("batch", -1, -1, -1, 3)
	count, h, w, c := batch.Shape[0], batch.Shape[1]/n.plan.Patch, batch.Shape[2]/n.plan.Patch, n.plan.Channels
	tokens := n.plan.before() + h*w
	rows := count * tokens
	n.tokens, n.last = grow(n.tokens, rows*c), grow(n.last, rows*c)
	n.scratch.resize(rows, n.plan)
	n.embedding.forward(&n.ctx, n.tokens, batch)
	for _, b := range n.blocks {
		b.forward(&n.ctx, &n.scratch, n.tokens, count, tokens)
	}
	n.norm.Forward(&n.ctx, n.last, n.tokens, rows)
	n.features = n.features.Fit(count, h, w, c)
	n.each(func(token, at int) { copy(n.features.Data[at:][:c], n.last[token:]) })
	return n.features
}

// each calls do for the token of every patch of the last batch: where it begins among the
// tokens, and in the map.
func (n *Network) each(do func(token, at int)) {
	m, first, c := n.features, n.plan.before(), n.plan.Channels
	tokens := first + m.H*m.W
	for i := range m.N {
		for patch := range m.H * m.W {
			do((i*tokens+first+patch)*c, m.At(i, patch/m.W, patch%m.W))
		}
	}
}

// Backward sets the gradients of all weights from that of the features of the last
// Forward, in the same layout: [N, h, w, C].
func (n *Network) Backward(features []float32) {
	m, c := n.features, n.plan.Channels
	tokens := n.plan.before() + m.H*m.W
	rows := m.N * tokens
	g := n.last
	clear(g)
	n.each(func(token, _ int) { features = features[copy(g[token:token+c], features):] })
	n.norm.Backward(&n.ctx, g, rows)
	n.finished(&n.norm.Weight, &n.norm.Bias)
	for i := len(n.blocks) - 1; i >= 0; i-- {
		n.blocks[i].backward(&n.ctx, &n.scratch, g, m.N, tokens)
		n.finished(n.blocks[i].params()...)
	}
	n.embedding.backward(&n.ctx, g, m.N)
	n.finished(n.embedding.params()...)
}
