package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
)

// ArchResNet12 is the architecture name of ResNet-12, the network of few-shot learning, with any
// widths.
//
// Four residual blocks, each conv3×3-BN-LeakyReLU twice, conv3×3-BN, plus a shortcut conv1×1-BN, a
// LeakyReLU and a 2×2 max-pool. An 84×84 image becomes 5×5 local embeddings.
const ArchResNet12 = "resnet12"

// Blocks is the number of residual blocks of a ResNet-12; each halves the side of the map.
const Blocks = 4

// MinSize is the minimum input side of a ResNet-12 in pixels, with a map of one position.
const MinSize = 1 << Blocks

// newResNet12 returns an error for other numbers of widths, and for tensors that are absent or have
// other shapes.
func newResNet12(f *weights.File, opt Options) (Network, error) {
	if len(f.Meta.Widths) != Blocks {
		return nil, fmt.Errorf("%s: %d widths %v, want one for each of the %d blocks", f.Source, len(f.Meta.Widths), f.Meta.Widths, Blocks)
	}
	var blocks []*resnet12Block
	in := 3
	for i, out := range f.Meta.Widths {
		if out <= 0 {
			return nil, fmt.Errorf("%s: block %d has width %d, want a positive one", f.Source, i+1, out)
		}
		b, err := readResNet12Block(f, i+1, in, out, opt.LowMemory)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
		in = out
	}
	layers := func(c *nn.Context, x *nn.Map, show func(*nn.Map)) *nn.Map {
		for _, b := range blocks {
			x = b.run(c, x)
			show(x)
		}
		return x
	}
	return &convolutional{
		meta: f.Meta, name: "a ResNet-12", stride: MinSize, floor: true, channels: in, together: 16, ctx: opt.Context(), layers: layers,
	}, nil
}

type resnet12Block struct {
	out                 int // channels
	conv1, conv2, conv3 *nn.Conv
	shortcut            *nn.Strided

	a, b, pooled *nn.Map
}

func readResNet12Block(f *weights.File, number, in, out int, lowMemory bool) (*resnet12Block, error) {
	r := &weights.Reader{File: f, Prefix: fmt.Sprintf("encoder.layer%d.0.", number)}
	w1, b1 := nn.ReadConv(r, "conv1", "bn1", out, in, 3, nn.BatchNormEpsilon)
	w2, b2 := nn.ReadConv(r, "conv2", "bn2", out, out, 3, nn.BatchNormEpsilon)
	w3, b3 := nn.ReadConv(r, "conv3", "bn3", out, out, 3, nn.BatchNormEpsilon)
	ws, bs := nn.ReadConv(r, "downsample.0", "downsample.1", out, in, 1, nn.BatchNormEpsilon)
	if r.Err != nil {
		return nil, r.Err
	}
	// Both branches are summed, so one bias is enough.
	for i := range b3 {
		b3[i] += bs[i]
	}
	return &resnet12Block{
		out:      out,
		conv1:    nn.NewConv(w1, b1, lowMemory),
		conv2:    nn.NewConv(w2, b2, lowMemory),
		conv3:    nn.NewConv(w3, b3, lowMemory),
		shortcut: nn.NewStrided(ws, make([]float32, out), 1),
	}, nil
}

// run computes the block's output. The map to which the third convolution adds first holds the
// shortcut.
func (b *resnet12Block) run(c *nn.Context, in *nn.Map) *nn.Map {
	b.a, b.b = b.a.Fit(in.N, in.H, in.W, b.out), b.b.Fit(in.N, in.H, in.W, b.out)
	b.pooled = b.pooled.Fit(in.N, in.H/2, in.W/2, b.out)
	b.conv1.Run(c, b.a, in, false, nn.LeakySlope)
	b.conv2.Run(c, b.b, b.a, false, nn.LeakySlope)
	b.shortcut.Run(c, b.a, in, false, nn.Linear)
	b.conv3.Run(c, b.a, b.b, true, nn.LeakySlope)
	nn.MaxPool(c, b.pooled, b.a)
	return b.pooled
}

// FLOPs returns the number of multiplications and additions of a ResNet-12's direct convolutions
// for one h×w image. GFLOP/s figures use it for all algorithms.
func FLOPs(widths []int, h, w int) float64 {
	flops, in := 0.0, 3
	for _, out := range widths {
		taps := 9*in + 2*9*out + in
		flops += 2 * float64(h) * float64(w) * float64(out) * float64(taps)
		in, h, w = out, h/2, w/2
	}
	return flops
}
