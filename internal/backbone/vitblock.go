package backbone

import (
	"slices"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// vitBlock is attention and a perceptron, each with a normalization before it and a residual
// connection. The weights include scales: the normalizations' weights and biases are folded into
// the next layer if it has float weights, LayerScale into the previous layer, and the scale of the
// scores into the queries.
type vitBlock struct {
	channels              int
	qkv, out, hidden, end dense
	norms                 [2]*norm // remaining scale and shift; may be nil
	attention             *nn.Attention

	normal, wide, mixed []float32
}

// run replaces tokens [sequences·tokens, C] by the block's output.
func (b *vitBlock) run(ctx *nn.Context, x []float32, sequences, tokens int) {
	rows, c := sequences*tokens, b.channels
	narrow, wide := rows*c, rows*max(b.qkv.Out(), b.hidden.Out())
	b.normal, b.mixed = slices.Grow(b.normal[:0], narrow)[:narrow], slices.Grow(b.mixed[:0], narrow)[:narrow]
	b.wide = slices.Grow(b.wide[:0], wide)[:wide]
	standardize := func(n *norm) {
		ctx.Split(rows, func(from, to int) {
			part := b.normal[from*c : to*c]
			ctx.Kernels.Standardize(part, x[from*c:], to-from, c, Epsilon)
			if n != nil {
				ctx.Kernels.Normalize(part, part, n.scale, n.shift, nil, to-from, c, nn.Linear)
			}
		})
	}
	standardize(b.norms[0])
	b.qkv.Run(ctx, b.wide, b.normal, rows, nn.Biased)
	b.attention.Run(ctx, b.mixed, b.wide, sequences, tokens)
	b.out.Run(ctx, x, b.mixed, rows, nn.Added)
	standardize(b.norms[1])
	b.hidden.Run(ctx, b.wide, b.normal, rows, nn.Gelu)
	b.end.Run(ctx, x, b.wide, rows, nn.Added)
}

type dense interface {
	Out() int
	Run(c *nn.Context, dst, src []float32, rows int, end nn.End)
}

// layer is a fully connected layer under construction.
type layer interface {
	// foldInput returns the layer with a scale and shift of its input channels folded in, or with the
	// remaining normalization.
	foldInput(scale, shift []float32) (layer, *norm)
	// scaleOutput returns the layer with scaled outputs.
	scaleOutput(scale []float32) layer
	dense() dense
}

// norm is a scale and a shift of each channel.
type norm struct{ scale, shift []float32 }

// readLayer reads a layer, with byte weights if the file has them and the kernels support their
// size.
func readLayer(r *weights.Reader, name string, in, out int) layer {
	bias := make([]float32, max(out, 0))
	if t := r.Optional(name+".bias", out); t != nil {
		copy(bias, t.Data)
	}
	if b := r.Bytes(name+".weight", out, in); b != nil && in%kernel.Lanes == 0 && out%kernel.Lanes == 0 {
		return &bytesLayer{b, bias}
	}
	return &affine{r.Tensor(name+".weight", out, in), bias}
}

// affine is a layer of weights [out, in] and a bias [out].
type affine struct {
	weight *tensor.Tensor
	bias   []float32
}

func (a *affine) foldInput(scale, shift []float32) (layer, *norm) {
	in := a.weight.Shape[1]
	b := &affine{weight: tensor.New(a.weight.Shape...), bias: make([]float32, len(a.bias))}
	for o := range a.bias {
		sum := float64(a.bias[o])
		for i, w := range a.weight.Data[o*in:][:in] {
			b.weight.Data[o*in+i] = w * scale[i]
			sum += float64(w) * float64(shift[i])
		}
		b.bias[o] = float32(sum)
	}
	return b, nil
}

func (a *affine) scaleOutput(scale []float32) layer {
	in := a.weight.Shape[1]
	b := &affine{weight: tensor.New(a.weight.Shape...), bias: make([]float32, len(a.bias))}
	for o, s := range scale {
		b.bias[o] = s * a.bias[o]
		for i, w := range a.weight.Data[o*in:][:in] {
			b.weight.Data[o*in+i] = s * w
		}
	}
	return b
}

func (a *affine) dense() dense { return nn.NewDense(a.weight, a.bias) }

// bytesLayer is a layer with byte weights. A scale of the input is not folded in: it equalizes
// channels, which are rounded together.
type bytesLayer struct {
	weight *weights.Bytes
	bias   []float32
}

func (l *bytesLayer) foldInput(scale, shift []float32) (layer, *norm) { return l, &norm{scale, shift} }

func (l *bytesLayer) scaleOutput(scale []float32) layer {
	weight := *l.weight
	weight.Scale = make([]float32, len(scale))
	bias := make([]float32, len(scale))
	for o, s := range scale {
		weight.Scale[o], bias[o] = s*l.weight.Scale[o], s*l.bias[o]
	}
	return &bytesLayer{&weight, bias}
}

func (l *bytesLayer) dense() dense { return nn.NewDenseBytes(l.weight, l.bias) }
