package backbone

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// MobileNet v1 comes from TensorFlow, which pads differently: if a layer with stride 2 has an even
// side, its 3×3 filters start at the first pixel instead of one before. Rotating by 180° turns this
// into the padding of the other versions. The image is therefore rotated, the filters are rotated
// when they are read, and the last map is rotated back.

// FirstStrides are the strides of the blocks of a MobileNet v1.
var FirstStrides = [...]int{1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1}

// FirstEpsilon is the epsilon of its batch normalization.
const FirstEpsilon = 1e-3

// first reads a network of version 1, with all 13 blocks or the first ones. A block is a depthwise
// convolution, dw1 to dw13, and a pointwise one, pw1 to pw13, each followed by ReLU6.
func (r *mobilenetReader) first(opt Options) (Network, error) {
	r.epsilon = FirstEpsilon
	n, stride := &mobilenet{after: nn.ReLU6, rotated: true}, 2
	filters, bias := r.readRotated("conv1", 3)
	if r.Err != nil {
		return nil, r.Err
	}
	n.stem = nn.NewStrided(filters, bias, 2)
	channels := len(bias)
	for i := 1; r.Has(fmt.Sprintf("dw%d.weight", i)); i++ {
		if i > len(FirstStrides) {
			return nil, fmt.Errorf("%s: more than %d blocks: not a MobileNet v1", r.File.Source, len(FirstStrides))
		}
		step, pw := FirstStrides[i-1], fmt.Sprintf("pw%d", i)
		stride *= step
		filters, bias := r.readRotated(fmt.Sprintf("dw%d", i), 1)
		if r.Err == nil && len(bias) != channels {
			r.Err = fmt.Errorf("%s: tensor %sdw%d.weight has %d filters, want %d", r.File.Source, r.Prefix, i, len(bias), channels)
		}
		if r.Err != nil {
			return nil, r.Err
		}
		b := &inverted{inside: nn.NewDepthwise(filters, bias, step, nn.ReLU6), after: nn.ReLU6, end: nn.ReLU6}
		b.project, channels = r.pointwise(pw, pw+".bn", channels)
		if r.Err != nil {
			return nil, r.Err
		}
		n.blocks = append(n.blocks, b)
	}
	if w := r.File.Meta.Widths; len(w) != 1 || w[0] != channels {
		return nil, fmt.Errorf("%s: widths %v of a network of %d channels", r.File.Source, w, channels)
	}
	return &convolutional{
		meta: r.File.Meta, name: "a MobileNet", stride: stride, channels: channels, together: 8, ctx: opt.Context(), layers: n.layers,
	}, nil
}

// readRotated reads filters [out, in, 3, 3] with their normalization, rotated by 180°.
func (r *mobilenetReader) readRotated(layer string, in int) (filters *tensor.Tensor, bias []float32) {
	filters, bias = nn.ReadConv(&r.Reader, layer, layer+".bn", -1, in, 3, r.epsilon)
	if r.Err != nil {
		return nil, nil
	}
	for i := 0; i < len(filters.Data); i += 9 {
		slices.Reverse(filters.Data[i : i+9])
	}
	return filters, bias
}

// rotate rotates the images of a map by 180°, in place.
func rotate(m *nn.Map) {
	for n := range m.N {
		for i, j := 0, m.H*m.W-1; i < j; i, j = i+1, j-1 {
			a, b := m.Data[m.At(n, i/m.W, i%m.W):][:m.Channels], m.Data[m.At(n, j/m.W, j%m.W):][:m.Channels]
			for c := range a {
				a[c], b[c] = b[c], a[c]
			}
		}
	}
}
