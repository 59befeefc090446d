package backbone

import (
	"math"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// NormMomentum is the weight of a batch in the running statistics: PyTorch's default, as in the
// reference.
const NormMomentum = 0.1

// BatchNorm normalizes with the statistics of the batch, and keeps running statistics for
// inference.
type BatchNorm struct {
	Weight, Bias   Param     // [C]
	Mean, Variance []float32 // running statistics, [C] padded; the variance is unbiased
	// Momentum is the weight of a batch in the running statistics.
	Momentum float64
	// Frozen normalizes with the running statistics, like inference, and does not change them: for
	// small or unrepresentative batches, such as an episode's.
	Frozen bool
	// Sum, unless nil, replaces values by their sums over all ranks that share a batch. The
	// statistics and their gradients then cover the whole batch.
	Sum func(values []float64)

	name         string
	c, channels  int // without and with padding
	scale, shift []float32
	mean, invStd []float64
	a, b, k      []float32
	sums         []float64 // [sumParts, 2, channels]
	rows         []float32 // [sumParts, 2, channels]
	shared       []float64 // two sums of each channel, and the number of values
}

// NewBatchNorm returns a normalization of c channels with weight 1 and bias 0.
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

// Name returns the layer's name in the reference's state dict.
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

// Measure computes the mean and variance of each channel of z for the next Apply, and updates the
// running statistics.
func (bn *BatchNorm) Measure(ctx *nn.Context, z *nn.Map) {
	bn.reduce(ctx, z, z)
	bn.SetSums(bn.sums[:bn.c], bn.sums[bn.channels:][:bn.c], z.N*z.H*z.W)
}

// SetSums is [BatchNorm.Measure] for known sums of the values and of their squares.
func (bn *BatchNorm) SetSums(sums, squares []float64, pixels int) {
	sums, squares, count := bn.sumOverRanks(sums, squares, pixels)
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

// sumOverRanks returns two sums of each channel and the number of values, over all ranks.
func (bn *BatchNorm) sumOverRanks(first, second []float64, pixels int) (_, _ []float64, count float64) {
	if bn.Sum == nil || bn.Frozen {
		return first, second, float64(pixels)
	}
	all := append(append(append(bn.shared[:0], first[:bn.c]...), second[:bn.c]...), float64(pixels))
	bn.shared = all
	bn.Sum(all)
	return all[:bn.c], all[bn.c:], all[2*bn.c]
}

// Apply computes out = leaky(norm(z) + res). res is optional. res and z may be out.
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

// Backward sets the gradients of weight and bias from the gradient of the output, g, and the input
// z of the last Measure. It writes the input's gradient to dz, which may be g:
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

// Descend is the part of Backward before dz, for known sums of the gradients and of their products
// with z. If ranks share a batch, the gradients are this rank's part.
func (bn *BatchNorm) Descend(sums, products []float64, pixels int) {
	for i := range bn.c {
		bn.Bias.Grad[i], bn.Weight.Grad[i] = float32(sums[i]), float32(bn.weighted(i, sums[i], products[i]))
	}
	sums, products, count := bn.sumOverRanks(sums, products, pixels)
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

// weighted is Σ g·ẑ of a channel, from the sums of its gradients and of their products with z.
func (bn *BatchNorm) weighted(channel int, sum, products float64) float64 {
	return (products - bn.mean[channel]*sum) * bn.invStd[channel]
}

// Affine returns the normalization after the last Measure or Settle, norm(z) = scale·z + shift, for
// each channel.
func (bn *BatchNorm) Affine() (scale, shift []float32) { return bn.scale, bn.shift }

// Slopes returns the coefficients of the input's gradient after the last Descend, dz = a·g + b·z +
// k, for each channel.
func (bn *BatchNorm) Slopes() (a, b, k []float32) { return bn.a, bn.b, bn.k }

// reduce writes Σ x and Σ x·y over all pixels to the first two rows of bn.sums. It sums a row of
// pixels in float32, and rows in float64.
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

// Unleak takes the gradient g back through a leaky ReLU of [nn.LeakySlope], in place. y is the
// output of the ReLU.
func Unleak(ctx *nn.Context, g, y *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := g.At(row/g.H, row%g.H, 0)
			ctx.Kernels.Unleak(g.Data[at:], y.Data[at:], g.W, g.Channels, nn.LeakySlope)
		}
	})
}

// Unpool takes the gradient g of a 2×2 max-pool back. The first largest pixel of each four in in
// gets it; all other pixels of din are zero, including an odd last row and column.
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
