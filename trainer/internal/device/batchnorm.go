package device

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
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
	Sum     func(values []float64)
	Changed func() // called after the running statistics were set

	name         string
	c            int // without padding
	scale, shift []float32
	mean, invStd []float64
	a, b, k      []float32
	shared       []float64 // two sums of each channel, and the number of values
}

// NewBatchNorm returns a normalization of c channels with weight 1 and bias 0.
func NewBatchNorm(name string, c int) *BatchNorm {
	channels := kernel.Pad(c)
	bn := &BatchNorm{
		Mean: make([]float32, channels), Variance: make([]float32, channels), Momentum: NormMomentum, Changed: func() {},
		name: name, c: c,
		scale: make([]float32, channels), shift: make([]float32, channels),
		mean: make([]float64, channels), invStd: make([]float64, channels),
		a: make([]float32, channels), b: make([]float32, channels), k: make([]float32, channels),
	}
	bn.Weight, bn.Bias = NewVector(name+".weight", c), NewVector(name+".bias", c)
	for i := range c {
		bn.Weight.Value[i], bn.Variance[i] = 1, 1
	}
	return bn
}

// State implements [Norm] for the processor.
func (bn *BatchNorm) State() *BatchNorm { return bn }

// Name returns the layer's name in the reference's state dict.
func (bn *BatchNorm) Name() string { return bn.name }

// Running returns copies of the running mean and variance, [C].
func (bn *BatchNorm) Running() (mean, variance *tensor.Tensor) {
	return tensor.Of(slices.Clone(bn.Mean[:bn.c]), bn.c), tensor.Of(slices.Clone(bn.Variance[:bn.c]), bn.c)
}

// SetRunning replaces the running mean and variance, [C].
func (bn *BatchNorm) SetRunning(mean, variance *tensor.Tensor) {
	mean.MustShape("running mean", bn.c)
	variance.MustShape("running variance", bn.c)
	copy(bn.Mean, mean.Data)
	copy(bn.Variance, variance.Data)
	bn.Changed()
}

// SetSums computes the mean and variance of each channel from the sums of the values and of their
// squares, for [BatchNorm.Affine], and updates the running statistics.
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

// Descend sets the gradients of weight and bias, and computes [BatchNorm.Slopes], from the sums of
// the output's gradients g and of their products with the input z of the last SetSums:
//
//	dz = w/σ · (g − mean(g) − ẑ·mean(g·ẑ)), ẑ = (z − μ)/σ.
//
// If ranks share a batch, the gradients are this rank's part.
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

// Affine returns the normalization after the last SetSums, norm(z) = scale·z + shift, for
// each channel.
func (bn *BatchNorm) Affine() bfloat16.Affine {
	return bfloat16.Affine{Scale: bn.scale, Shift: bn.shift}
}

// Slopes returns the coefficients of the input's gradient after the last Descend, dz = a·g + b·z +
// k, for each channel.
func (bn *BatchNorm) Slopes() (a, b, k []float32) { return bn.a, bn.b, bn.k }
