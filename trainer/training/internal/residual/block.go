package residual

import (
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// conv is a convolution of a block.
type conv interface {
	Forward(ctx *nn.Context, out, in *nn.Map)
	Backward(ctx *nn.Context, din, dout, in *nn.Map, add bool)
}

// unit is a convolution and the normalisation behind it, with what the backward pass
// needs of the forward pass.
type unit struct {
	conv   conv
	weight *optim.Param
	norm   *layer.BatchNorm
	out    int // channels
	stride int

	in, z, y *nn.Map // what comes in, what the convolution makes of it, and that normalised
	dz       *nn.Map // gradient of z, and before that of y
}

// newUnit returns a convolution of k×k by its names in the state dict.
func newUnit(conv, norm string, in, out, k, stride int, r *rand.Rand) *unit {
	u := &unit{norm: layer.NewBatchNorm(prefix+norm, out), out: out, stride: stride}
	if k == 3 && stride == 1 {
		c := layer.NewConv(prefix+conv+".weight", in, out, r)
		u.conv, u.weight = c, &c.Weight
	} else {
		c := layer.NewStrided(prefix+conv+".weight", in, out, k, stride, conv == stem, r)
		u.conv, u.weight = c, &c.Weight
	}
	return u
}

func (u *unit) params() []*optim.Param { return []*optim.Param{u.weight, &u.norm.Weight, &u.norm.Bias} }

// forward returns the normalised map, with res added unless it is nil, behind an
// activation with a slope below zero.
func (u *unit) forward(ctx *nn.Context, in, res *nn.Map, slope float32) *nn.Map {
	h, w := (in.H+u.stride-1)/u.stride, (in.W+u.stride-1)/u.stride
	u.in, u.z, u.y, u.dz = in, u.z.Fit(in.N, h, w, u.out), u.y.Fit(in.N, h, w, u.out), u.dz.Fit(in.N, h, w, u.out)
	u.conv.Forward(ctx, u.z, in)
	u.norm.Measure(ctx, u.z)
	u.norm.Apply(ctx, u.y, u.z, res, slope)
	return u.y
}

// backward sets the gradients of the weights from g, that of the normalised map before the
// activation, and the gradient of the input, or adds to it; g stays.
func (u *unit) backward(ctx *nn.Context, din, g *nn.Map, add bool) {
	u.norm.Backward(ctx, u.dz, g, u.z)
	u.conv.Backward(ctx, din, u.dz, u.in, add)
}

// block is a residual block.
type block struct {
	units []*unit
	past  *unit // nil for the input itself

	din *nn.Map
}

// newBlock returns the block at a place. As in torchvision, the stride is that of the
// 3×3 convolution, of two the first.
func newBlock(stage, number, in, stride int, shape Block, r *rand.Rand) *block {
	b := &block{}
	add := func(i, in, k, stride int) {
		b.units = append(b.units, newUnit(name(stage, number, fmt.Sprintf("conv%d", i+1)), name(stage, number, fmt.Sprintf("bn%d", i+1)), in, shape.Widths[i], k, stride, r))
	}
	last := len(shape.Widths) - 1
	if last == 1 {
		add(0, in, 3, stride)
		add(1, shape.Widths[0], 3, 1)
	} else {
		add(0, in, 1, 1)
		add(1, shape.Widths[0], 3, stride)
		add(2, shape.Widths[1], 1, 1)
	}
	if shape.Past {
		b.past = newUnit(name(stage, number, "downsample.0"), name(stage, number, "downsample.1"), in, shape.Widths[last], 1, stride, r)
	}
	return b
}

// all lists the units, in the order of the state dict.
func (b *block) all() []*unit {
	if b.past == nil {
		return b.units
	}
	return append(b.units[:len(b.units):len(b.units)], b.past)
}

func (b *block) forward(ctx *nn.Context, in *nn.Map) *nn.Map {
	past := in
	if b.past != nil {
		past = b.past.forward(ctx, in, nil, nn.Linear)
	}
	x, last := in, len(b.units)-1
	for _, u := range b.units[:last] {
		x = u.forward(ctx, x, nil, layer.ReLU)
	}
	return b.units[last].forward(ctx, x, past, layer.ReLU)
}

// backward returns the gradient of the block's input from that of its output, which
// changes.
func (b *block) backward(ctx *nn.Context, g *nn.Map) *nn.Map {
	in := b.units[0].in
	b.din = b.din.Fit(in.N, in.H, in.W, in.C)
	last := len(b.units) - 1
	layer.Unrectify(ctx, g, b.units[last].y)
	if b.past != nil {
		b.past.backward(ctx, b.din, g, false)
	} else {
		copy(b.din.Data, g.Data)
	}
	for i := last; i > 0; i-- {
		u, before := b.units[i], b.units[i-1]
		u.backward(ctx, before.dz, g, false)
		layer.Unrectify(ctx, before.dz, before.y)
		g = before.dz
	}
	b.units[0].backward(ctx, b.din, g, true)
	return b.din
}
