package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

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
