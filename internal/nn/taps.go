package nn

import (
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Taps are the filters of a 3×3 convolution in the order that packing and
// training use: [3, 3, In, Out], with both channels as maps store them, so
// output channels are contiguous and the padding is zero.
type Taps struct {
	In, Out int
	Data    []float32
}

// NewTaps returns taps of zeros; in is the number of channels that the input
// map stores, out that of the output, a multiple of [kernel.Lanes].
func NewTaps(in, out int) Taps { return Taps{In: in, Out: out, Data: make([]float32, 9*in*out)} }

// TapsOf reorders filters [Cout, Cin, 3, 3].
func TapsOf(filters *tensor.Tensor, in int) Taps {
	cout, cin := filters.Shape[0], filters.Shape[1]
	t := NewTaps(in, kernel.Pad(cout))
	for o := range cout {
		for i := range cin {
			for tap, w := range filters.Data[(o*cin+i)*9:][:9] {
				t.Data[(tap*t.In+i)*t.Out+o] = w
			}
		}
	}
	return t
}

// Filters is the inverse of [TapsOf]: filters [cout, cin, 3, 3].
func (t Taps) Filters(cout, cin int) *tensor.Tensor {
	filters := tensor.New(cout, cin, 3, 3)
	for o := range cout {
		for i := range cin {
			for tap := range 9 {
				filters.Data[(o*cin+i)*9+tap] = t.Data[(tap*t.In+i)*t.Out+o]
			}
		}
	}
	return filters
}
