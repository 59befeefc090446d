package nn

import (
	"cmp"
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// BatchNormEpsilon is added to each variance: the default of PyTorch and of the reference
// implementation.
const BatchNormEpsilon = 1e-5

// BatchNorm is batch normalization with running statistics, each [C].
type BatchNorm struct {
	Weight, Bias, Mean, Variance *tensor.Tensor
	Epsilon                      float64 // 0 for BatchNormEpsilon
}

// Fold merges the normalization into the preceding convolution, which has no bias. It returns the
// scaled filters [Cout, Cin, k, k] and the bias [Cout].
func (bn BatchNorm) Fold(filters *tensor.Tensor) (scaled *tensor.Tensor, bias []float32) {
	scaled = tensor.New(filters.Shape...)
	bias = make([]float32, filters.Shape[0])
	epsilon := cmp.Or(bn.Epsilon, BatchNormEpsilon)
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

// ReadConv reads the convolution conv.weight, [out, in, k, k] (-1 accepts any size), and folds in
// the batch normalization norm. It returns filters and bias, or nil after an error.
func ReadConv(r *weights.Reader, conv, norm string, out, in, k int, epsilon float64) (filters *tensor.Tensor, bias []float32) {
	filters = r.Tensor(conv+".weight", out, in, k, k)
	if r.Err != nil {
		return nil, nil
	}
	bn := readBatchNorm(r, norm, filters.Shape[0], epsilon)
	if r.Err != nil {
		return nil, nil
	}
	return bn.Fold(filters)
}

func readBatchNorm(r *weights.Reader, norm string, channels int, epsilon float64) BatchNorm {
	bn := BatchNorm{
		Weight:   r.Tensor(norm+".weight", channels),
		Bias:     r.Tensor(norm+".bias", channels),
		Mean:     r.Tensor(norm+".running_mean", channels),
		Variance: r.Tensor(norm+".running_var", channels),
		Epsilon:  epsilon,
	}
	if r.Err == nil {
		r.Err = CheckVariance(r.File.Source, r.Prefix+norm+".running_var", bn.Variance.Data)
	}
	return bn
}

// CheckVariance returns an error for a negative variance in the named tensor of a file.
func CheckVariance(file, name string, variance []float32) error {
	for i, v := range variance {
		if v < 0 {
			return fmt.Errorf("%s: tensor %s has the negative variance %g in channel %d: the file is damaged", file, name, v, i)
		}
	}
	return nil
}
