package nn

import (
	"math"

	"github.com/deepemd/deepemd/internal/tensor"
)

// BatchNormEpsilon is added to each variance: PyTorch's default, which the
// reference uses.
const BatchNormEpsilon = 1e-5

// BatchNorm is batch normalisation with the statistics of training, each [C].
type BatchNorm struct {
	Weight, Bias, Mean, Variance *tensor.Tensor
	Epsilon                      float64 // 0 for BatchNormEpsilon
}

// Fold joins the normalisation to the convolution before it, which has no bias:
// it returns the scaled filters [Cout, Cin, k, k] and the bias [Cout] of one
// convolution that gives the same result.
func (bn BatchNorm) Fold(filters *tensor.Tensor) (scaled *tensor.Tensor, bias []float32) {
	scaled = tensor.New(filters.Shape...)
	bias = make([]float32, filters.Shape[0])
	epsilon := bn.Epsilon
	if epsilon == 0 {
		epsilon = BatchNormEpsilon
	}
	for o := range bias {
		scale := float64(bn.Weight.Data[o]) / math.Sqrt(float64(bn.Variance.Data[o])+epsilon)
		bias[o] = float32(float64(bn.Bias.Data[o]) - float64(bn.Mean.Data[o])*scale)
		from, to := filters.Row(o), scaled.Row(o)
		for i, w := range from {
			to[i] = float32(float64(w) * scale)
		}
	}
	return scaled, bias
}
