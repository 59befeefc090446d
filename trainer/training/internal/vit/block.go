package vit

import (
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// epsilon of all layer normalisations, as in inference.
const epsilon = 1e-6

// block is attention and a perceptron, each with a normalisation before it and a residual
// connection past it. Both keep what their backward passes need of the forward pass.
type block struct {
	norm1, norm2        *layer.LayerNorm
	qkv, proj, fc1, fc2 *layer.Linear
	scale1, scale2      *layer.Scale // nil for none
	attention           *layer.Attention

	// What is behind each layer: queries, keys and values; what attention makes of them;
	// that behind proj; the perceptron before its activation; and behind fc2.
	projected, mixed, heard, wide, ended []float32
}

// scratch is memory that the blocks share: a gradient of queries, keys and values, the
// perceptron behind its activation and its gradient, normalised tokens and their gradient.
type scratch struct{ dqkv, active, dwide, normal, dnormal []float32 }

// resize makes the memory for so many rows.
func (s *scratch) resize(rows int, p Plan) {
	c := p.Channels
	s.dqkv, s.normal, s.dnormal = grow(s.dqkv, rows*3*c), grow(s.normal, rows*c), grow(s.dnormal, rows*c)
	s.active, s.dwide = grow(s.active, rows*p.Hidden), grow(s.dwide, rows*p.Hidden)
}

func newBlock(p Plan, number int, r *rand.Rand) *block {
	c := p.Channels
	name := func(s string) string { return prefix + at(number, s) }
	b := &block{
		norm1: layer.NewLayerNorm(name("norm1"), c, epsilon), norm2: layer.NewLayerNorm(name("norm2"), c, epsilon),
		qkv: newLinear(name(denses[0]), c, 3*c, r), proj: newLinear(name(denses[1]), c, c, r),
		fc1: newLinear(name(denses[2]), c, p.Hidden, r), fc2: newLinear(name(denses[3]), p.Hidden, c, r),
		attention: layer.NewAttention(p.Heads, c/p.Heads),
	}
	if p.LayerScale {
		b.scale1, b.scale2 = layer.NewScale(name("ls1.gamma"), c, float32(p.Scale)), layer.NewScale(name("ls2.gamma"), c, float32(p.Scale))
	}
	return b
}

// newLinear returns a layer with weights as ViT begins with: normal, with a standard
// deviation of 0.02, and biases of zero.
func newLinear(name string, in, out int, r *rand.Rand) *layer.Linear {
	l := layer.NewLinear(name, in, out, r)
	normal(&l.Weight, r)
	clear(l.Bias.Value)
	return l
}

// normal sets a parameter to normal numbers with ViT's standard deviation.
func normal(p *optim.Param, r *rand.Rand) {
	const deviation = 0.02
	t := p.Export(p.Value)
	for i := range t.Data {
		t.Data[i] = float32(deviation * r.NormFloat64())
	}
	p.Import(p.Value, t)
}

func (b *block) params() []*optim.Param {
	params := []*optim.Param{
		&b.norm1.Weight, &b.norm1.Bias, &b.qkv.Weight, &b.qkv.Bias, &b.proj.Weight, &b.proj.Bias,
		&b.norm2.Weight, &b.norm2.Bias, &b.fc1.Weight, &b.fc1.Bias, &b.fc2.Weight, &b.fc2.Bias,
	}
	if b.scale1 != nil {
		params = append(params, &b.scale1.Weight, &b.scale2.Weight)
	}
	return params
}

// forward replaces tokens x [sequences·tokens, C] by those behind the block.
func (b *block) forward(ctx *nn.Context, s *scratch, x []float32, sequences, tokens int) {
	rows := sequences * tokens
	b.projected, b.mixed, b.wide = grow(b.projected, rows*b.qkv.Out), grow(b.mixed, rows*b.proj.In), grow(b.wide, rows*b.fc1.Out)
	b.heard, b.ended = grow(b.heard, rows*b.proj.Out), grow(b.ended, rows*b.fc2.Out)

	b.norm1.Forward(ctx, s.normal, x, rows)
	b.qkv.Forward(ctx, b.projected, s.normal, rows)
	b.attention.Forward(ctx, b.mixed, b.projected, sequences, tokens)
	b.proj.Forward(ctx, b.heard, b.mixed, rows)
	join(ctx, b.scale1, x, b.heard, rows)

	b.norm2.Forward(ctx, s.normal, x, rows)
	b.fc1.Forward(ctx, b.wide, s.normal, rows)
	b.activate(ctx, s.active, rows)
	b.fc2.Forward(ctx, b.ended, s.active, rows)
	join(ctx, b.scale2, x, b.ended, rows)
}

// activate computes what is behind the perceptron's activation, which is not kept.
func (b *block) activate(ctx *nn.Context, dst []float32, rows int) {
	c := b.fc1.Out
	none := make([]float32, c)
	ctx.Split(rows, func(from, to int) {
		part := dst[from*c : to*c]
		copy(part, b.wide[from*c:])
		ctx.Kernels.Gelu(part, none, to-from, c)
	})
}

// join adds y to x, scaled where there is a scale.
func join(ctx *nn.Context, scale *layer.Scale, x, y []float32, rows int) {
	if scale != nil {
		scale.Forward(ctx, x, y, rows)
		return
	}
	sum(ctx, x, y, rows)
}

// sum adds y to x, both [rows, C].
func sum(ctx *nn.Context, x, y []float32, rows int) {
	c := len(x) / rows
	ctx.Split(rows, func(from, to int) {
		for i, v := range y[from*c : to*c] {
			x[from*c+i] += v
		}
	})
}

// part returns the gradient of y from that of what it was joined to, g, in the memory
// of y where there is a scale.
func part(ctx *nn.Context, scale *layer.Scale, g, y []float32, rows int) []float32 {
	if scale == nil {
		return g
	}
	scale.Backward(ctx, y, g, rows)
	return y
}

// backward replaces the gradient g of the block's output by that of its input.
func (b *block) backward(ctx *nn.Context, s *scratch, g []float32, sequences, tokens int) {
	rows := sequences * tokens
	dended := part(ctx, b.scale2, g, b.ended, rows)
	b.activate(ctx, s.active, rows)
	b.fc2.Backward(ctx, s.dwide, dended, s.active, rows)
	c := b.fc1.Out
	ctx.Split(rows, func(from, to int) {
		ctx.Kernels.Ungelu(s.dwide[from*c:to*c], b.wide[from*c:], (to-from)*c)
	})
	b.norm2.Again(ctx, s.normal, rows)
	b.fc1.Backward(ctx, s.dnormal, s.dwide, s.normal, rows)
	b.norm2.Backward(ctx, s.dnormal, rows)
	sum(ctx, g, s.dnormal, rows)

	dheard := part(ctx, b.scale1, g, b.heard, rows)
	b.proj.Backward(ctx, s.dnormal, dheard, b.mixed, rows)
	b.attention.Backward(ctx, s.dqkv, s.dnormal, b.projected, sequences, tokens)
	b.norm1.Again(ctx, s.normal, rows)
	b.qkv.Backward(ctx, s.dnormal, s.dqkv, s.normal, rows)
	b.norm1.Backward(ctx, s.dnormal, rows)
	sum(ctx, g, s.dnormal, rows)
}

// grow returns n values, unspecified, in the memory of v where it is enough.
func grow(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}
