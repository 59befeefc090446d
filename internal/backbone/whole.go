package backbone

import (
	"fmt"
	"maps"
	"math"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// The bits that Whole gives to a weight.
const (
	MinBits = 3 // from -3 to 3
	MaxBits = 8 // from -127 to 127
)

// taps is the number of weights of a 3×3 filter on one channel.
const taps = 9

// Whole returns a ResNet-12 that computes nearly the same, with filters of whole
// numbers, which a file holds in a byte each (weights.I8). It scales each filter so
// that its largest weight becomes the largest number of so many bits, [MinBits] to
// [MaxBits], and rounds, so that the errors of neighbouring taps make up for each
// other. The batch normalisation behind it, with mean and variance scaled alike,
// undoes the scale. All other tensors stay the same.
//
// Fewer bits leave the file's size as it is, and shrink what compression makes of
// it. They are for the 3×3 filters of the last two blocks, which hold nine tenths of
// the weights: the others have MaxBits in any case, as they add little to the size
// and, rounded as coarsely, most of the error.
//
// It returns an error for another architecture, for a network that [New] refuses, and for other numbers of bits.
func Whole(f *weights.File, bits int) (*weights.File, error) {
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
				// (x − m)/√(v + ε) of an input that is scales[i] times as large.
				return max(0, (v+nn.BatchNormEpsilon)*scales[i]*scales[i]-nn.BatchNormEpsilon)
			})
		}
	}
	return &whole, nil
}

// steps is the number that the largest weight of a block's filters [Cout, Cin, k, k]
// becomes when there are so many bits for most filters.
func steps(block int, filters *tensor.Tensor, bits int) float64 {
	if block <= Blocks/2 || filters.Shape[3] == 1 {
		bits = MaxBits
	}
	return float64(int(1)<<(bits-1) - 1)
}

// rounded returns filters [Cout, …] as whole numbers up to most, and the scale of
// each. A filter that is so already stays.
func rounded(filters *tensor.Tensor, most float64) (whole *tensor.Tensor, scales []float64) {
	whole, scales = tensor.New(filters.Shape...), make([]float64, filters.Shape[0])
	errors := weights.NewFeedback()
	for o := range scales {
		from, to := filters.Row(o), whole.Row(o)
		largest, fractions := 0.0, false
		for _, w := range from {
			largest = max(largest, math.Abs(float64(w)))
			fractions = fractions || w != float32(math.Trunc(float64(w)))
		}
		scales[o] = most / largest
		if !fractions && largest <= most {
			scales[o] = 1
		}
		if filters.Shape[3] == 3 {
			for c := 0; c < len(from); c += taps {
				errors.Round(to[c:c+taps], from[c:c+taps], scales[o], most)
			}
			continue
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
