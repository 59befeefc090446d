package mobilenet

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// prefix stands before the names of tensors, which are torchvision's.
const prefix = "encoder.features."

// version is what a network's tensors do not say themselves.
type version struct {
	strides []int // of the blocks
	swish   int   // the first block with the hard-swish activation; those before it have after
	after   nn.Activation
	epsilon float64 // of the batch normalisations
}

var (
	second     = version{[]int{1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1}, 17, nn.ReLU6, 1e-5}
	third      = version{[]int{1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1}, 6, nn.ReLU, 1e-3} // large
	thirdSmall = version{[]int{2, 2, 1, 2, 1, 1, 1, 1, 2, 1, 1}, 3, nn.ReLU, 1e-3}
)

// versionOf tells a version by its first block: V2 names the layers otherwise, and of V3
// only the small network scales the channels there.
func versionOf(r *weights.Reader) version {
	switch {
	case r.Has("1.conv.0.0.weight"):
		return second
	case r.Has("1.block.1.fc1.weight"):
		return thirdSmall
	}
	return third
}

// read builds a network without equipment. The names of tensors are torchvision's.
func read(f *weights.File) (*Network, error) {
	if f.Meta.Arch != Arch {
		return nil, fmt.Errorf("%s: architecture %q, want %q", f.Source, f.Meta.Arch, Arch)
	}
	r := &reader{Reader: weights.Reader{File: f, Prefix: prefix}}
	blocks := 0
	for r.Has(fmt.Sprintf("%d.conv.0.0.weight", blocks+1)) || r.Has(fmt.Sprintf("%d.block.0.0.weight", blocks+1)) {
		blocks++
	}
	v := versionOf(&r.Reader)
	head := fmt.Sprintf("%d.0", blocks+1)
	switch whole := len(v.strides); {
	case blocks == 0, blocks > whole:
		return nil, fmt.Errorf("%s: %d blocks: MobileNetV2 has 17, V3 15 or, small, 11", f.Source, blocks)
	case blocks < whole && r.Has(head+".weight"):
		return nil, fmt.Errorf("%s: %d blocks before the last convolution: MobileNetV2 has 17, V3 15 or, small, 11", f.Source, blocks)
	}
	r.epsilon = v.epsilon
	n := &Network{meta: f.Meta, after: v.after, stride: 2}
	if v.swish < len(v.strides) {
		n.after = nn.HardSwish
	}
	channels := 0
	n.stem, channels = r.conv("0.0", "0.1", 3, 3, 2)
	for i, stride := range v.strides[:blocks] {
		n.stride *= stride
		after := v.after
		if i >= v.swish {
			after = nn.HardSwish
		}
		var b *block
		b, channels = r.block(i+1, channels, stride, after)
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
	return n, nil
}

// reader reads layers and keeps the first error.
type reader struct {
	weights.Reader
	epsilon float64
}

// pointwise reads a 1×1 convolution with its normalisation, and returns its channels too.
func (r *reader) pointwise(conv, norm string, in int) (nn.Pointwise, int) {
	if p := nn.ReadPointwise(&r.Reader, conv, norm, -1, in, 1, r.epsilon); p != nil {
		return p, p.Channels()
	}
	return r.conv(conv, norm, in, 1, 1)
}

// conv reads a convolution with its normalisation, and returns its channels too.
func (r *reader) conv(conv, norm string, in, k, stride int) (*nn.Strided, int) {
	filters, bias := nn.ReadConvWith(&r.Reader, conv, norm, -1, in, k, r.epsilon)
	if r.Err != nil {
		return nil, 0
	}
	return nn.NewStrided(filters, bias, stride), len(bias)
}

// block reads a block, whose input has so many channels, and returns those of its output.
func (r *reader) block(number, in, stride int, after nn.Activation) (*block, int) {
	b := &block{after: after}
	// V2 keeps the layers of a block in "conv", the last two by themselves; V3 in "block".
	at := fmt.Sprintf("%d.block.", number)
	second := r.Has(fmt.Sprintf("%d.conv.0.0.weight", number))
	if second {
		at = fmt.Sprintf("%d.conv.", number)
	}
	wide, next := in, 0
	// The first block of V2 and most first ones of V3 expand nothing: there the first layer
	// is the one that convolves each channel by itself, of filters [C, 1, k, k].
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
	filters, bias := nn.ReadConvWith(&r.Reader, inside+"0", inside+"1", wide, 1, k, r.epsilon)
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

// squeeze reads the scale of the channels.
func (r *reader) squeeze(at string, channels int) *nn.SqueezeExcite {
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
