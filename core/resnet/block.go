package resnet

import (
	"fmt"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
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
	r := reader{file: f, prefix: fmt.Sprintf("encoder.layer%d.0.", number)}
	w1, b1 := r.conv("conv1", "bn1", out, in, 3)
	w2, b2 := r.conv("conv2", "bn2", out, out, 3)
	w3, b3 := r.conv("conv3", "bn3", out, out, 3)
	ws, bs := r.conv("downsample.0", "downsample.1", out, in, 1)
	if r.err != nil {
		return nil, r.err
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

// reader takes tensors from a file and keeps the first error.
type reader struct {
	file   *weights.File
	prefix string
	err    error
}

func (r *reader) tensor(name string, shape ...int) *tensor.Tensor {
	if r.err != nil {
		return nil
	}
	t, err := r.file.Tensor(r.prefix+name, shape...)
	r.err = err
	return t
}

// conv returns a convolution [out, in, k, k] with its normalisation folded in.
func (r *reader) conv(conv, norm string, out, in, k int) (*tensor.Tensor, []float32) {
	filters := r.tensor(conv+".weight", out, in, k, k)
	bn := nn.BatchNorm{
		Weight:   r.tensor(norm+".weight", out),
		Bias:     r.tensor(norm+".bias", out),
		Mean:     r.tensor(norm+".running_mean", out),
		Variance: r.tensor(norm+".running_var", out),
	}
	if r.err != nil {
		return nil, nil
	}
	for i, v := range bn.Variance.Data {
		if v < 0 {
			r.err = fmt.Errorf("%s: tensor %s has the negative variance %g in channel %d: the file is damaged", r.file.Source, r.prefix+norm+".running_var", v, i)
			return nil, nil
		}
	}
	return bn.Fold(filters)
}
