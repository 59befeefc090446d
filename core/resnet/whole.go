package resnet

import (
	"fmt"
	"maps"
	"math"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Whole returns a network that computes nearly the same, with filters of whole
// numbers from -127 to 127, which a file holds in a byte each (weights.I8). It
// scales each filter so that its largest weight becomes 127, and rounds. The batch
// normalisation behind it, with mean and variance scaled alike, undoes the scale.
// All other tensors stay the same.
//
// It returns an error for a network that New refuses.
func Whole(f *weights.File) (*weights.File, error) {
	if _, err := New(f, Options{LowMemory: true}); err != nil {
		return nil, err
	}
	whole := *f
	whole.Tensors = maps.Clone(f.Tensors)
	for block := 1; block <= Blocks; block++ {
		for conv, norm := range map[string]string{"conv1": "bn1", "conv2": "bn2", "conv3": "bn3", "downsample.0": "downsample.1"} {
			prefix := fmt.Sprintf("encoder.layer%d.0.", block)
			filters, scales := rounded(f.Tensors[prefix+conv+".weight"])
			whole.Tensors[prefix+conv+".weight"] = filters
			mean, variance := prefix+norm+".running_mean", prefix+norm+".running_var"
			whole.Tensors[mean] = scaled(f.Tensors[mean], func(i int, v float64) float64 { return v * scales[i] })
			whole.Tensors[variance] = scaled(f.Tensors[variance], func(i int, v float64) float64 {
				// (x − m)/√(v + ε) of an input that is scales[i] times as large.
				return max(0, (v+nn.BatchNormEpsilon)*scales[i]*scales[i]-nn.BatchNormEpsilon)
			})
		}
	}
	return &whole, nil
}

// rounded returns filters [Cout, …] as whole numbers, and the scale of each. A
// filter of zeros keeps its zeros.
func rounded(filters *tensor.Tensor) (whole *tensor.Tensor, scales []float64) {
	whole, scales = tensor.New(filters.Shape...), make([]float64, filters.Shape[0])
	for o := range scales {
		from, to := filters.Row(o), whole.Row(o)
		largest := 0.0
		for _, w := range from {
			largest = max(largest, math.Abs(float64(w)))
		}
		scales[o] = 1
		if largest > 0 {
			scales[o] = math.MaxInt8 / largest
		}
		for i, w := range from {
			to[i] = float32(math.RoundToEven(float64(w) * scales[o]))
		}
	}
	return whole, scales
}

// scaled returns a vector with by applied to each value.
func scaled(t *tensor.Tensor, by func(i int, v float64) float64) *tensor.Tensor {
	out := tensor.New(t.Shape...)
	for i, v := range t.Data {
		out.Data[i] = float32(by(i, float64(v)))
	}
	return out
}
