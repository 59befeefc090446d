package backbone

import (
	"fmt"
	"maps"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Limits for the bits of a weight in WithIntegerFilters.
const (
	MinBits = 3 // -3 to 3
	MaxBits = 8 // -127 to 127
)

// WithIntegerFilters returns a ResNet-12 that computes nearly the same, with integer filters, which a file can
// store as bytes (weights.I8). It scales each filter so that its largest weight becomes the largest
// number with the given bits, [MinBits] to [MaxBits], and rounds it so that the errors of
// neighboring taps compensate each other. The next batch normalization undoes the scale, with a
// scaled mean and variance. All other tensors stay the same.
//
// Fewer bits do not change the size of the file, but improve its compression. They apply to the 3×3
// filters of the last two blocks, which hold nine tenths of the weights. The others always have
// MaxBits: they add little to the size, but would cause most of the error.
//
// It returns an error for other architectures, for networks that [New] rejects, and for other
// numbers of bits.
func WithIntegerFilters(f *weights.File, bits int) (*weights.File, error) {
	if bits < MinBits || bits > MaxBits {
		return nil, fmt.Errorf("filters of %d bits: want %d to %d", bits, MinBits, MaxBits)
	}
	if f.Meta.Arch != ArchResNet12 {
		return nil, fmt.Errorf("%s: architecture %q, want %q", f.Source, f.Meta.Arch, ArchResNet12)
	}
	if _, err := newResNet12(f, Options{LowMemory: true}); err != nil {
		return nil, err
	}
	f = f.Widened()
	whole := *f
	whole.Tensors = maps.Clone(f.Tensors)
	for block := 1; block <= Blocks; block++ {
		for conv, norm := range map[string]string{"conv1": "bn1", "conv2": "bn2", "conv3": "bn3", "downsample.0": "downsample.1"} {
			prefix := fmt.Sprintf("encoder.layer%d.0.", block)
			from := f.Tensors[prefix+conv+".weight"]
			filters, scales := rounded(from, steps(block, from, bits))
			whole.Tensors[prefix+conv+".weight"] = filters
			mean, variance := prefix+norm+".running_mean", prefix+norm+".running_var"
			whole.Tensors[mean] = scaled(f.Tensors[mean], func(i int, v float64) float64 { return v * scales[i] })
			whole.Tensors[variance] = scaled(f.Tensors[variance], func(i int, v float64) float64 {
				// (x − m)/√(v + ε) of an input that is scaled by scales[i].
				return max(0, (v+nn.BatchNormEpsilon)*scales[i]*scales[i]-nn.BatchNormEpsilon)
			})
		}
	}
	return &whole, nil
}

// steps returns the number that the largest weight of a block's filters [Cout, Cin, k, k] becomes.
func steps(block int, filters *tensor.Tensor, bits int) float64 {
	if block <= Blocks/2 || filters.Shape[3] == 1 {
		bits = MaxBits
	}
	return float64(int(1)<<(bits-1) - 1)
}

// mostScale limits the scale of a filter, so that a variance times its square fits into a float32.
// The weights of a filter that training has almost erased become zero.
const mostScale = 1e15

// rounded returns integer filters [Cout, …] up to most, and the scale of each filter. It does not
// change filters that are already integers.
func rounded(filters *tensor.Tensor, most float64) (whole *tensor.Tensor, scales []float64) {
	whole, scales = tensor.New(filters.Shape...), make([]float64, filters.Shape[0])
	errors := tensor.NewFeedback()
	for o := range scales {
		from, to := filters.Row(o), whole.Row(o)
		largest, fractions := 0.0, false
		for _, w := range from {
			largest = max(largest, math.Abs(float64(w)))
			fractions = fractions || w != float32(math.Trunc(float64(w)))
		}
		scales[o] = min(most/largest, mostScale)
		if !fractions && largest <= most {
			scales[o] = 1
		}
		if filters.Shape[3] == 3 {
			errors.Round(to, from, scales[o], most)
			continue
		}
		for i, w := range from {
			to[i] = float32(math.RoundToEven(float64(w) * scales[o]))
		}
	}
	return whole, scales
}

func scaled(t *tensor.Tensor, by func(i int, v float64) float64) *tensor.Tensor {
	out := tensor.New(t.Shape...)
	for i, v := range t.Data {
		out.Data[i] = float32(by(i, float64(v)))
	}
	return out
}
