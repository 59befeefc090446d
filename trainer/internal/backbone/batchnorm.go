package backbone

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// NormMomentum is the share of a batch in the running statistics: PyTorch's default,
// which the reference uses.
const NormMomentum = 0.1

// BatchNorm is batch normalisation with the statistics of the batch, keeping
// running ones for inference.
type BatchNorm struct {
	Weight, Bias   Param     // [C]
	Mean, Variance []float32 // running statistics, [C] padded; the variance is unbiased
	// Momentum is the share of the batch in the running statistics.
	Momentum float64
	// Frozen normalises with the running statistics, as inference does, and does
	// not change them: for small or one-sided batches, such as an episode's.
	Frozen bool
	// Sum, unless nil, replaces values by their sums over all ranks that share a batch:
	// the statistics, and what goes back through them, are then those of the whole batch.
	Sum func(values []float64)

	name         string
	c, channels  int // without and with padding
	scale, shift []float32
	mean, invStd []float64
	a, b, k      []float32
	sums         []float64 // [sumParts, 2, channels]
	rows         []float32 // [sumParts, 2, channels]
	shared       []float64 // two sums of each channel, and how many values are in them
}

// NewBatchNorm returns a normalisation of c channels: weight 1, bias 0.
func NewBatchNorm(name string, c int) *BatchNorm {
	channels := kernel.Pad(c)
	bn := &BatchNorm{
		Mean: make([]float32, channels), Variance: make([]float32, channels), Momentum: NormMomentum,
		name: name, c: c, channels: channels,
		scale: make([]float32, channels), shift: make([]float32, channels),
		mean: make([]float64, channels), invStd: make([]float64, channels),
		a: make([]float32, channels), b: make([]float32, channels), k: make([]float32, channels),
		sums: make([]float64, sumParts*2*channels), rows: make([]float32, sumParts*2*channels),
	}
	bn.Weight, bn.Bias = vectorParam(name+".weight", c), vectorParam(name+".bias", c)
	for i := range c {
		bn.Weight.Value[i], bn.Variance[i] = 1, 1
	}
	return bn
}

// Name is the name of the layer in the reference's state dict.
func (bn *BatchNorm) Name() string { return bn.name }

// Running returns copies of the running mean and variance, [C].
func (bn *BatchNorm) Running() (mean, variance *tensor.Tensor) {
	return tensor.Of(append([]float32(nil), bn.Mean[:bn.c]...), bn.c),
		tensor.Of(append([]float32(nil), bn.Variance[:bn.c]...), bn.c)
}

// SetRunning replaces the running mean and variance, [C].
func (bn *BatchNorm) SetRunning(mean, variance *tensor.Tensor) {
	mean.MustShape("running mean", bn.c)
	variance.MustShape("running variance", bn.c)
	copy(bn.Mean, mean.Data)
	copy(bn.Variance, variance.Data)
}

// Measure takes the mean and variance of each channel of z over the batch, as
// the next Apply needs them, and moves the running statistics.
func (bn *BatchNorm) Measure(ctx *nn.Context, z *nn.Map) {
	bn.reduce(ctx, z, z)
	bn.Settle(bn.sums[:bn.c], bn.sums[bn.channels:][:bn.c], z.N*z.H*z.W)
}

// Settle is [BatchNorm.Measure] for sums that are known: of each channel's count
// values, and of their squares.
func (bn *BatchNorm) Settle(sums, squares []float64, pixels int) {
	sums, squares, count := bn.whole(sums, squares, pixels)
	for i := range bn.c {
		mean := sums[i] / count
		variance := max(squares[i]/count-mean*mean, 0)
		if bn.Frozen {
			mean, variance = float64(bn.Mean[i]), float64(bn.Variance[i])
		}
		bn.mean[i], bn.invStd[i] = mean, 1/math.Sqrt(variance+nn.BatchNormEpsilon)
		scale := float64(bn.Weight.Value[i]) * bn.invStd[i]
		bn.scale[i], bn.shift[i] = float32(scale), float32(float64(bn.Bias.Value[i])-mean*scale)
		if bn.Frozen {
			continue
		}
		unbiased := variance
		if count > 1 {
			unbiased *= count / (count - 1)
		}
		bn.Mean[i] += float32(bn.Momentum * (mean - float64(bn.Mean[i])))
		bn.Variance[i] += float32(bn.Momentum * (unbiased - float64(bn.Variance[i])))
	}
}

// whole returns two sums of each channel, and the number of values in them, over all ranks.
func (bn *BatchNorm) whole(first, second []float64, pixels int) (_, _ []float64, count float64) {
	if bn.Sum == nil || bn.Frozen {
		return first, second, float64(pixels)
	}
	all := append(append(append(bn.shared[:0], first[:bn.c]...), second[:bn.c]...), float64(pixels))
	bn.shared = all
	bn.Sum(all)
	return all[:bn.c], all[bn.c:], all[2*bn.c]
}

// Apply computes out = leaky(norm(z) + res); res is nil for none and may be out,
// as may z.
func (bn *BatchNorm) Apply(ctx *nn.Context, out, z, res *nn.Map, slope float32) {
	ctx.Split(z.N*z.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := z.At(row/z.H, row%z.H, 0)
			var held []float32
			if res != nil {
				held = res.Data[at:]
			}
			ctx.Kernels.Normalize(out.Data[at:], z.Data[at:], bn.scale, bn.shift, held, z.W, bn.channels, slope)
		}
	})
}

// Backward sets the gradients of weight and bias from that of the output, g, and
// the input z of the last Measure; and writes the input's gradient to dz, which
// may be g:
//
//	dz = w/σ · (g − mean(g) − ẑ·mean(g·ẑ)), ẑ = (z − μ)/σ.
func (bn *BatchNorm) Backward(ctx *nn.Context, dz, g, z *nn.Map) {
	bn.reduce(ctx, g, z)
	bn.Descend(bn.sums[:bn.c], bn.sums[bn.channels:][:bn.c], z.N*z.H*z.W)
	ctx.Split(z.N*z.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := z.At(row/z.H, row%z.H, 0)
			ctx.Kernels.Combine(dz.Data[at:], g.Data[at:], z.Data[at:], bn.a, bn.b, bn.k, z.W, bn.channels)
		}
	})
}

// Descend sets the gradients of weight and bias from sums that are known, of
// each channel's count gradients g and of their products with z, and the slopes
// of the input's gradient. Where ranks share a batch, the gradients are this rank's part.
func (bn *BatchNorm) Descend(sums, products []float64, pixels int) {
	for i := range bn.c {
		bn.Bias.Grad[i], bn.Weight.Grad[i] = float32(sums[i]), float32(bn.weighted(i, sums[i], products[i]))
	}
	sums, products, count := bn.whole(sums, products, pixels)
	for i := range bn.c {
		sum, inv, mean := sums[i], bn.invStd[i], bn.mean[i]
		weighted := bn.weighted(i, sum, products[i])
		a := float64(bn.Weight.Value[i]) * inv
		if bn.Frozen { // the statistics do not depend on the batch
			bn.a[i], bn.b[i], bn.k[i] = float32(a), 0, 0
			continue
		}
		b := -a * weighted / count * inv
		bn.a[i], bn.b[i], bn.k[i] = float32(a), float32(b), float32(-a*sum/count-b*mean)
	}
}

// weighted is Σ g·ẑ of a channel, of the sums of its gradients and their products with z.
func (bn *BatchNorm) weighted(channel int, sum, products float64) float64 {
	return (products - bn.mean[channel]*sum) * bn.invStd[channel]
}

// Affine returns the normalisation after the last Measure or Settle:
// norm(z) = scale·z + shift, one of each for every channel.
func (bn *BatchNorm) Affine() (scale, shift []float32) { return bn.scale, bn.shift }

// Slopes are the factors of the input's gradient after the last Descend:
// dz = a·g + b·z + k, one of each for every channel.
func (bn *BatchNorm) Slopes() (a, b, k []float32) { return bn.a, bn.b, bn.k }

// reduce leaves Σ x and Σ x·y over all pixels in the first two rows of bn.sums.
// A row of pixels is summed in float32, everything else in float64.
func (bn *BatchNorm) reduce(ctx *nn.Context, x, y *nn.Map) {
	c, rows := bn.channels, x.N*x.H
	clear(bn.sums)
	ctx.Split(sumParts, func(from, to int) {
		for part := from; part < to; part++ {
			line, total := bn.rows[part*2*c:][:2*c], bn.sums[part*2*c:][:2*c]
			for row := part * rows / sumParts; row < (part+1)*rows/sumParts; row++ {
				at := x.At(row/x.H, row%x.H, 0)
				clear(line)
				ctx.Kernels.Moments(line[:c], line[c:], x.Data[at:], y.Data[at:], x.W, c)
				for i, v := range line {
					total[i] += float64(v)
				}
			}
		}
	})
	for part := 1; part < sumParts; part++ {
		for i, v := range bn.sums[part*2*c:][:2*c] {
			bn.sums[i] += v
		}
	}
}

// Unleak carries the gradient g back through a leaky ReLU of [nn.LeakySlope], in place; y
// is the activation's output, whose sign is that of its input.
func Unleak(ctx *nn.Context, g, y *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := g.At(row/g.H, row%g.H, 0)
			ctx.Kernels.Unleak(g.Data[at:], y.Data[at:], g.W, g.Channels, nn.LeakySlope)
		}
	})
}

// Unpool carries the gradient g of a 2×2 max-pool back: din gets it at the first
// largest pixel of each four of in, and zero elsewhere, also in an odd last row
// or column that pooling leaves out.
func Unpool(ctx *nn.Context, din, g, in *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			n, y := row/g.H, row%g.H
			for x := range g.W {
				at := in.At(n, 2*y, 2*x)
				ctx.Kernels.Unpool(din.Data[at:], g.Data[g.At(n, y, x):], in.Data[at:], in.Channels, in.Row())
			}
			if in.W%2 == 1 {
				clear(din.Data[din.At(n, 2*y, in.W-1):][:din.Channels])
				clear(din.Data[din.At(n, 2*y+1, in.W-1):][:din.Channels])
			}
			if in.H%2 == 1 && y == g.H-1 {
				clear(din.Data[din.At(n, in.H-1, 0):][:din.W*din.Channels])
			}
		}
	})
}
