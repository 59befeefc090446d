package nn

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/core/weights"
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

// ReadConv reads the convolution conv.weight, [out, in, k, k], -1 for any, with the batch
// normalisation norm behind it folded in, and a bias. After an error both are nil.
func ReadConv(r *weights.Reader, conv, norm string, out, in, k int) (filters *tensor.Tensor, bias []float32) {
	return ReadConvWith(r, conv, norm, out, in, k, BatchNormEpsilon)
}

// ReadConvWith is ReadConv with another term added to the variance.
func ReadConvWith(r *weights.Reader, conv, norm string, out, in, k int, epsilon float64) (filters *tensor.Tensor, bias []float32) {
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

// readBatchNorm reads a normalisation of so many channels.
func readBatchNorm(r *weights.Reader, norm string, channels int, epsilon float64) BatchNorm {
	bn := BatchNorm{
		Weight:   r.Tensor(norm+".weight", channels),
		Bias:     r.Tensor(norm+".bias", channels),
		Mean:     r.Tensor(norm+".running_mean", channels),
		Variance: r.Tensor(norm+".running_var", channels),
		Epsilon:  epsilon,
	}
	if r.Err != nil {
		return bn
	}
	for i, v := range bn.Variance.Data {
		if v < 0 {
			r.Err = fmt.Errorf("%s: tensor %s has the negative variance %g in channel %d: the file is damaged", r.File.Source, r.Prefix+norm+".running_var", v, i)
			break
		}
	}
	return bn
}
