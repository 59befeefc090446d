package mobilenet

import "github.com/deepemd/deepemd/core/nn"

// block is an inverted residual: a 1×1 convolution to more channels, a convolution of each
// of them by itself, in V3 perhaps a scale for each, and a 1×1 convolution to few, which
// has no activation. Where shapes allow it, the input is added.
type block struct {
	expand  nn.Convolution // nil where the input has the channels already
	inside  *nn.Depthwise
	squeeze *nn.SqueezeExcite // nil for none
	project nn.Convolution
	after   nn.Activation // of all but the last convolution
	past    bool          // the input is added

	wide, deep, out *nn.Map
}

// run computes the block's output for its input.
func (b *block) run(c *nn.Context, in *nn.Map) *nn.Map {
	h, w := b.inside.Sides(in.H, in.W)
	b.deep, b.out = b.deep.Fit(in.N, h, w, b.inside.Channels()), b.out.Fit(in.N, h, w, b.project.Channels())
	x := in
	if b.expand != nil {
		b.wide = b.wide.Fit(in.N, in.H, in.W, b.expand.Channels())
		b.expand.Run(c, b.wide, in, false, nn.Linear)
		b.after.Run(c, b.wide)
		x = b.wide
	}
	b.inside.Run(c, b.deep, x)
	if b.squeeze != nil {
		b.squeeze.Run(c, b.deep)
	}
	if b.past {
		copy(b.out.Data, in.Data)
	}
	b.project.Run(c, b.out, b.deep, b.past, nn.Linear)
	return b.out
}
