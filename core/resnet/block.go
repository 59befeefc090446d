package resnet

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/weights"
)

// block is one residual block and the maps that it works in.
type block struct {
	out                 int // channels
	conv1, conv2, conv3 *nn.Conv
	shortcut            *nn.Shortcut

	a, b, pooled *nn.Map
}

// readBlock takes a block's weights from the file and folds its normalisations.
func readBlock(f *weights.File, number, in, out int, lowMemory bool) (*block, error) {
	r := &weights.Reader{File: f, Prefix: fmt.Sprintf("encoder.layer%d.0.", number)}
	w1, b1 := nn.ReadConv(r, "conv1", "bn1", out, in, 3)
	w2, b2 := nn.ReadConv(r, "conv2", "bn2", out, out, 3)
	w3, b3 := nn.ReadConv(r, "conv3", "bn3", out, out, 3)
	ws, bs := nn.ReadConv(r, "downsample.0", "downsample.1", out, in, 1)
	if r.Err != nil {
		return nil, r.Err
	}
	// Both branches end in the same sum, so one bias serves for both.
	for i := range b3 {
		b3[i] += bs[i]
	}
	return &block{
		out:      out,
		conv1:    nn.NewConv(w1, b1, lowMemory),
		conv2:    nn.NewConv(w2, b2, lowMemory),
		conv3:    nn.NewConv(w3, b3, lowMemory),
		shortcut: nn.NewShortcut(ws),
	}, nil
}

// run computes the block's output for its input. The shortcut waits in the map
// that the third convolution adds to.
func (b *block) run(c *nn.Context, in *nn.Map) *nn.Map {
	if b.a == nil || b.a.N != in.N || b.a.H != in.H || b.a.W != in.W {
		b.a = nn.NewMap(in.N, in.H, in.W, b.out)
		b.b = nn.NewMap(in.N, in.H, in.W, b.out)
		b.pooled = nn.NewMap(in.N, in.H/2, in.W/2, b.out)
	}
	b.conv1.Run(c, b.a, in, false, nn.LeakySlope)
	b.conv2.Run(c, b.b, b.a, false, nn.LeakySlope)
	b.shortcut.Run(c, b.a, in)
	b.conv3.Run(c, b.a, b.b, true, nn.LeakySlope)
	nn.MaxPool(c, b.pooled, b.a)
	return b.pooled
}
