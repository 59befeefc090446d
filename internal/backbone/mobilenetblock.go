package backbone

import "github.com/deepemd/deepemd/internal/nn"

// inverted is an inverted residual: a 1×1 convolution to more channels, a convolution of each
// of them by itself, in V3 perhaps a scale for each, and a 1×1 convolution to few, which
// has no activation. Where shapes allow it, the input is added.
type inverted struct {
	expand  nn.Pointwise // nil where the input has the channels already
	inside  *nn.Depthwise
	squeeze *nn.SqueezeExcite // nil for none
	project nn.Pointwise
	after   nn.Activation // of all but the last convolution
	end     nn.Activation // of the last convolution, Identity but in version 1
	past    bool          // the input is added

	wide, deep, out *nn.Map
}

// run computes the block's output for its input.
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
