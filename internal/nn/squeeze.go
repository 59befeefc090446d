package nn

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// SqueezeExcite scales the channels of an image depending on their means (Hu et al., 2018), as in
// MobileNetV3: two dense layers, with a ReLU after the first and min(max(x + 3, 0), 6)/6 after the
// second.
type SqueezeExcite struct {
	squeeze, excite *Dense

	means, hidden, scales []float32
}

// NewSqueezeExcite returns a layer with weights [S, C] and a bias [S], and weights [C, S] and a
// bias [C].
func NewSqueezeExcite(squeeze *tensor.Tensor, squeezeBias []float32, excite *tensor.Tensor, exciteBias []float32) *SqueezeExcite {
	excite.MustShape("weights that excite", squeeze.Shape[1], squeeze.Shape[0])
	return &SqueezeExcite{squeeze: padded(squeeze, squeezeBias), excite: padded(excite, exciteBias)}
}

// padded returns a dense layer with zero padding on both sides, for the stored channels of maps.
func padded(weight *tensor.Tensor, bias []float32) *Dense {
	out, in := weight.Shape[0], weight.Shape[1]
	w, b := tensor.New(kernel.Pad(out), kernel.Pad(in)), make([]float32, kernel.Pad(out))
	for o := range out {
		copy(w.Row(o), weight.Row(o))
	}
	copy(b, bias)
	return NewDense(w, b)
}

// Run scales a map in place.
func (s *SqueezeExcite) Run(c *Context, m *Map) {
	channels := m.Channels
	all, hidden := m.N*channels, m.N*s.squeeze.Out()
	s.means, s.scales = slices.Grow(s.means[:0], all)[:all], slices.Grow(s.scales[:0], all)[:all]
	s.hidden = slices.Grow(s.hidden[:0], hidden)[:hidden]
	clear(s.means)
	c.Split(m.N, func(from, to int) {
		for n := from; n < to; n++ {
			mean := s.means[n*channels:][:channels]
			m.each(n, func(pixel []float32) {
				for i, v := range pixel {
					mean[i] += v
				}
			})
			for i := range mean {
				mean[i] /= float32(m.H * m.W)
			}
		}
	})
	s.squeeze.Run(c, s.hidden, s.means, m.N, Biased)
	ReLU.apply(c.Kernels, s.hidden)
	s.excite.Run(c, s.scales, s.hidden, m.N, Biased)
	for i, v := range s.scales {
		s.scales[i] = float32(math.Min(math.Max(float64(v)+3, 0), 6) / 6)
	}
	c.Split(m.N, func(from, to int) {
		for n := from; n < to; n++ {
			scale := s.scales[n*channels:][:channels]
			m.each(n, func(pixel []float32) {
				for i := range pixel {
					pixel[i] *= scale[i]
				}
			})
		}
	})
}
