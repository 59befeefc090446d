package backbone

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

// resnetBlock is a residual block: two convolutions of 3×3, or one of 3×3 between two of 1×1,
// and what goes past them.
type resnetBlock struct {
	out    int // channels
	layers []nn.Convolution
	past   nn.Convolution // nil for the input itself

	maps []*nn.Map // of the layers
}

// readResNetBlock reads the block at a prefix, whose input has so many channels. As in
// torchvision, the stride is that of the 3×3 convolution, of two the first.
func readResNetBlock(r *weights.Reader, at string, in, stride int, lowMemory bool) *resnetBlock {
	b := &resnetBlock{}
	add := func(number string, in, k, stride int) (out int) {
		if p := nn.ReadPointwise(r, at+"conv"+number, at+"bn"+number, -1, in, stride, nn.BatchNormEpsilon); p != nil {
			b.layers = append(b.layers, p)
			return p.Channels()
		}
		filters, bias := nn.ReadConv(r, at+"conv"+number, at+"bn"+number, -1, in, k)
		if r.Err != nil {
			return 0
		}
		if k == 3 && stride == 1 {
			b.layers = append(b.layers, nn.NewConv(filters, bias, lowMemory))
		} else {
			b.layers = append(b.layers, nn.NewStrided(filters, bias, stride))
		}
		return len(bias)
	}
	if r.Has(at + "conv3.weight") {
		b.out = add("3", add("2", add("1", in, 1, 1), 3, stride), 1, 1)
	} else {
		b.out = add("2", add("1", in, 3, stride), 3, 1)
	}
	b.maps = make([]*nn.Map, len(b.layers))
	if r.Has(at+"downsample.0.weight") || stride > 1 || r.Err == nil && b.out != in {
		conv, norm := at+"downsample.0", at+"downsample.1"
		if p := nn.ReadPointwise(r, conv, norm, b.out, in, stride, nn.BatchNormEpsilon); p != nil {
			b.past = p
		} else if filters, bias := nn.ReadConv(r, conv, norm, b.out, in, 1); r.Err == nil {
			b.past = nn.NewStrided(filters, bias, stride)
		}
	}
	return b
}

// run computes the block's output for its input. What goes past the convolutions waits in
// the map that the last of them adds to.
func (b *resnetBlock) run(c *nn.Context, in *nn.Map) *nn.Map {
	h, w := in.H, in.W
	for i, layer := range b.layers {
		h, w = layer.Sides(h, w)
		b.maps[i] = b.maps[i].Fit(in.N, h, w, layer.Channels())
	}
	last := len(b.layers) - 1
	x := in
	for i, layer := range b.layers[:last] {
		layer.Run(c, b.maps[i], x, false, relu)
		x = b.maps[i]
	}
	out := b.maps[last]
	if b.past == nil {
		copy(out.Data, in.Data)
	} else {
		b.past.Run(c, out, in, false, nn.Linear)
	}
	b.layers[last].Run(c, out, x, true, relu)
	return out
}
