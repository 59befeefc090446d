package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// ArchMobileNet is the architecture name of MobileNet as in TensorFlow (Howard et al., "MobileNets:
// Efficient Convolutional Neural Networks for Mobile Vision Applications", 2017), and of
// MobileNetV2 (Sandler et al., "Inverted Residuals and Linear Bottlenecks", 2018) and of
// MobileNetV3, large and small (Howard et al., "Searching for MobileNetV3", 2019), as in
// torchvision. If a file holds only the first blocks, the output of its last block is the network's
// output.
const ArchMobileNet = "mobilenet"

// mobilenetPrefix precedes torchvision's tensor names.
const mobilenetPrefix = "encoder.features."

type mobilenet struct {
	stem        *nn.Strided
	blocks      []*inverted
	head        nn.Pointwise // nil if the network ends with a block
	after       nn.Activation
	rotated     bool // images are rotated, see first.go
	begun, last *nn.Map
}

// MobileNetPlan holds the facts of a MobileNet that its tensors do not state.
type MobileNetPlan struct {
	Second  bool            // MobileNetV2, whose layers have other names than V3's
	Strides []int           // of the blocks
	After   []nn.Activation // of the blocks' convolutions except the last, which has none
	Ends    nn.Activation   // of the convolutions before and after the blocks
	Epsilon float64         // of the batch normalizations
}

var mobileNetV2, mobileNetV3Large, mobileNetV3Small = newMobileNetPlan(nn.ReLU6, 17, 1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1),
	newMobileNetPlan(nn.ReLU, 6, 1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1),
	newMobileNetPlan(nn.ReLU, 3, 2, 2, 1, 2, 1, 1, 1, 1, 2, 1, 1)

// newMobileNetPlan returns the plan of a network with the given strides. Blocks numbered swish and
// higher have the hard-swish activation, all others before.
func newMobileNetPlan(before nn.Activation, swish int, strides ...int) MobileNetPlan {
	p := MobileNetPlan{Second: before == nn.ReLU6, Strides: strides, Ends: nn.HardSwish, Epsilon: 1e-3}
	if p.Second {
		p.Ends, p.Epsilon = nn.ReLU6, 1e-5
	}
	for i := range strides {
		p.After = append(p.After, before)
		if i >= swish {
			p.After[i] = nn.HardSwish
		}
	}
	return p
}

// MobileNetPlanOf returns the plan of the network with the given number of blocks; false if
// there is no such network.
func MobileNetPlanOf(blocks int) (MobileNetPlan, bool) {
	for _, p := range []MobileNetPlan{mobileNetV2, mobileNetV3Large, mobileNetV3Small} {
		if len(p.Strides) == blocks {
			return p, true
		}
	}
	return MobileNetPlan{}, false
}

// MobileNetPlanOfFile returns the plan of the network whose blocks a file holds, all or the
// first, and their number. V2 names the layers of the first block differently, and only the small V3 has a
// squeeze-and-excite layer there.
func MobileNetPlanOfFile(f *weights.File) (plan MobileNetPlan, blocks int) {
	r := &weights.Reader{File: f, Prefix: mobilenetPrefix}
	for r.Has(fmt.Sprintf("%d.conv.0.0.weight", blocks+1)) || r.Has(fmt.Sprintf("%d.block.0.0.weight", blocks+1)) {
		blocks++
	}
	switch {
	case r.Has("1.conv.0.0.weight"):
		return mobileNetV2, blocks
	case r.Has("1.block.1.fc1.weight"):
		return mobileNetV3Small, blocks
	}
	return mobileNetV3Large, blocks
}

// newMobileNet returns an error for numbers of blocks that no version has, and for tensors that are
// absent or have other shapes.
func newMobileNet(f *weights.File, opt Options) (Network, error) {
	r := &mobilenetReader{Reader: weights.Reader{File: f, Prefix: mobilenetPrefix}}
	if r.Has("dw1.weight") {
		return r.first(opt)
	}
	plan, blocks := MobileNetPlanOfFile(f)
	head := fmt.Sprintf("%d.0", blocks+1)
	switch whole := len(plan.Strides); {
	case blocks == 0, blocks > whole:
		return nil, fmt.Errorf("%s: %d blocks: MobileNetV2 has 17, V3 has 15 (large) or 11 (small)", f.Source, blocks)
	case blocks < whole && r.Has(head+".weight"):
		return nil, fmt.Errorf("%s: %d blocks before the last convolution: MobileNetV2 has 17, V3 has 15 (large) or 11 (small)", f.Source, blocks)
	}
	r.epsilon = plan.Epsilon
	n, stride := &mobilenet{after: plan.Ends}, 2
	channels := 0
	n.stem, channels = r.conv("0.0", "0.1", 3, 3, 2)
	for i, s := range plan.Strides[:blocks] {
		stride *= s
		var b *inverted
		b, channels = r.block(i+1, channels, s, plan.After[i])
		n.blocks = append(n.blocks, b)
	}
	if r.Has(head + ".weight") {
		n.head, channels = r.pointwise(head, fmt.Sprintf("%d.1", blocks+1), channels)
	}
	if r.Err == nil && (len(f.Meta.Widths) != 1 || f.Meta.Widths[0] != channels) {
		r.Err = fmt.Errorf("%s: widths %v of a network of %d channels", f.Source, f.Meta.Widths, channels)
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return &convolutional{
		meta: f.Meta, name: "a MobileNet", stride: stride, channels: channels, together: 8, ctx: opt.Context(), layers: n.layers,
	}, nil
}

// layers computes all layers. It shows the outputs of the first convolution, of each block, and of
// the last convolution.
func (n *mobilenet) layers(c *nn.Context, input *nn.Map, show func(*nn.Map)) *nn.Map {
	if n.rotated {
		upright := show
		show = func(m *nn.Map) { rotate(m); upright(m); rotate(m) }
		rotate(input)
	}
	h, w := n.stem.Sides(input.H, input.W)
	n.begun = n.begun.FitBare(input.N, h, w, n.stem.Channels())
	n.stem.RunPast(c, n.begun, input, nil, n.after)
	x := n.begun
	show(x)
	for _, b := range n.blocks {
		x = b.run(c, x)
		show(x)
	}
	if n.rotated {
		rotate(x)
	}
	if n.head == nil {
		return x
	}
	n.last = n.last.FitBare(x.N, x.H, x.W, n.head.Channels())
	n.head.RunPast(c, n.last, x, nil, n.after)
	show(n.last)
	return n.last
}

type mobilenetReader struct {
	weights.Reader
	epsilon float64
}

// pointwise reads a 1×1 convolution with its normalization, and returns its number of channels.
func (r *mobilenetReader) pointwise(conv, norm string, in int) (nn.Pointwise, int) {
	if p := nn.ReadPointwise(&r.Reader, conv, norm, -1, in, 1, r.epsilon); p != nil {
		return p, p.Channels()
	}
	return r.conv(conv, norm, in, 1, 1)
}

// conv reads a convolution with its normalization, and returns its number of channels.
func (r *mobilenetReader) conv(conv, norm string, in, k, stride int) (*nn.Strided, int) {
	filters, bias := nn.ReadConv(&r.Reader, conv, norm, -1, in, k, r.epsilon)
	if r.Err != nil {
		return nil, 0
	}
	return nn.NewStrided(filters, bias, stride), len(bias)
}

// block reads a block with in input channels, and returns its output channels.
func (r *mobilenetReader) block(number, in, stride int, after nn.Activation) (*inverted, int) {
	b := &inverted{after: after}
	// V2 nests the layers of a block in "conv", except the last two; V3 nests all in "block".
	at := fmt.Sprintf("%d.block.", number)
	second := r.Has(fmt.Sprintf("%d.conv.0.0.weight", number))
	if second {
		at = fmt.Sprintf("%d.conv.", number)
	}
	wide, next := in, 0
	// The first block of V2 and most first blocks of V3 do not expand: their first layer is the
	// depthwise convolution, with filters [C, 1, k, k].
	if shape := r.Shape(at + "0.0.weight"); len(shape) == 4 && shape[2] == 1 {
		b.expand, wide = r.pointwise(at+"0.0", at+"0.1", in)
		next = 1
	}
	inside := fmt.Sprintf("%s%d.", at, next)
	k := 3
	if shape := r.Shape(inside + "0.weight"); len(shape) == 4 {
		k = shape[2]
	}
	if r.Err == nil && k != 3 && k != 5 {
		r.Err = fmt.Errorf("%s: tensor %s0.weight has filters of %d×%d, want 3×3 or 5×5", r.File.Source, r.Prefix+inside, k, k)
	}
	filters, bias := nn.ReadConv(&r.Reader, inside+"0", inside+"1", wide, 1, k, r.epsilon)
	if r.Err != nil {
		return nil, 0
	}
	b.inside = nn.NewDepthwise(filters, bias, stride, after)
	next++
	if squeeze := fmt.Sprintf("%s%d.", at, next); r.Has(squeeze + "fc1.weight") {
		b.squeeze = r.squeeze(squeeze, wide)
		next++
	}
	conv, norm := fmt.Sprintf("%s%d.0", at, next), fmt.Sprintf("%s%d.1", at, next)
	if second {
		conv, norm = fmt.Sprintf("%s%d", at, next), fmt.Sprintf("%s%d", at, next+1)
	}
	var out int
	b.project, out = r.pointwise(conv, norm, wide)
	b.past = stride == 1 && out == in
	return b, out
}

func (r *mobilenetReader) squeeze(at string, channels int) *nn.SqueezeExcite {
	first := r.Tensor(at+"fc1.weight", -1, channels, 1, 1)
	if r.Err != nil {
		return nil
	}
	hidden := first.Shape[0]
	second := r.Tensor(at+"fc2.weight", channels, hidden, 1, 1)
	firstBias, secondBias := r.Values(at+"fc1.bias", hidden), r.Values(at+"fc2.bias", channels)
	if r.Err != nil {
		return nil
	}
	return nn.NewSqueezeExcite(tensor.Of(first.Data, hidden, channels), firstBias, tensor.Of(second.Data, channels, hidden), secondBias)
}

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
