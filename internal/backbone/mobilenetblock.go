package backbone

import "github.com/deepemd/deepemd/internal/nn"

// inverted is an inverted residual: a 1×1 convolution that increases the channels, a depthwise
// convolution, in V3 optionally a squeeze-and-excite layer, and a 1×1 convolution that reduces the
// channels and has no activation. If the shapes match, the input is added.
type inverted struct {
	expand  nn.Pointwise // nil if the block does not expand
	inside  *nn.Depthwise
	squeeze *nn.SqueezeExcite // may be nil
	project nn.Pointwise
	after   nn.Activation // of all convolutions except the last
	end     nn.Activation // of the last convolution: Identity except in version 1
	past    bool          // the input is added

	wide, deep, out *nn.Map
}

func (b *inverted) run(c *nn.Context, in *nn.Map) *nn.Map {
	h, w := b.inside.Sides(in.H, in.W)
	b.deep, b.out = b.deep.FitBare(in.N, h, w, b.inside.Channels()), b.out.FitBare(in.N, h, w, b.project.Channels())
	x := in
	if b.expand != nil {
		b.wide = b.wide.FitBare(in.N, in.H, in.W, b.expand.Channels())
		b.expand.RunPast(c, b.wide, in, nil, b.after)
		x = b.wide
	}
	b.inside.Run(c, b.deep, x)
	if b.squeeze != nil {
		b.squeeze.Run(c, b.deep)
	}
	past := in
	if !b.past {
		past = nil
	}
	b.project.RunPast(c, b.out, b.deep, past, b.end)
	return b.out
}
