package nn

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// SqueezeExcite scales the channels of a picture by what their means say (Hu et al.,
// 2018), as MobileNetV3 has it: two dense layers, with ReLU between them and
// min(max(x + 3, 0), 6)/6 behind them.
type SqueezeExcite struct {
	squeeze, excite *Dense

	means, hidden, scales []float32
}

// NewSqueezeExcite returns a layer of weights [S, C] with a bias [S], and [C, S] with a
// bias [C].
func NewSqueezeExcite(squeeze *tensor.Tensor, squeezeBias []float32, excite *tensor.Tensor, exciteBias []float32) *SqueezeExcite {
	c, s := squeeze.Shape[1], squeeze.Shape[0]
	squeeze.MustShape("weights that squeeze", s, c)
	excite.MustShape("weights that excite", c, s)
	return &SqueezeExcite{squeeze: padded(squeeze, squeezeBias), excite: padded(excite, exciteBias)}
}

// padded is a dense layer with both its sides filled up with zeros, as maps store channels.
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
