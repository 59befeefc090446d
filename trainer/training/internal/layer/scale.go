package layer

import (
	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// Scale multiplies each channel of rows by a weight (LayerScale: Touvron et al., "Going
// deeper with Image Transformers", 2021).
type Scale struct {
	Weight optim.Param // [C]

	c             int
	sums, ignored []float32
}

// NewScale returns a scale of c channels, a multiple of the kernels' lanes, all of them
// value.
func NewScale(name string, c int, value float32) *Scale {
	s := &Scale{Weight: vectorParam(name, c), c: c, sums: make([]float32, sumParts*2*c), ignored: make([]float32, c)}
	for i := range s.Weight.Value {
		s.Weight.Value[i] = value
	}
	return s
}

// Forward adds x [rows, C], scaled, to y.
func (s *Scale) Forward(ctx *nn.Context, y, x []float32, rows int) {
	ctx.Split(rows, func(from, to int) {
		for row := from; row < to; row++ {
			sums, values := y[row*s.c:][:s.c], x[row*s.c:][:s.c]
			for i, w := range s.Weight.Value {
				sums[i] += w * values[i]
			}
		}
	})
}

// Backward sets the gradient of the weights from that of y, g, and the input x [rows, C],
// and writes the input's gradient to x.
func (s *Scale) Backward(ctx *nn.Context, x, g []float32, rows int) {
	columns(ctx, s.ignored, s.Weight.Grad, s.sums, g, x, rows, s.c)
	ctx.Split(rows, func(from, to int) {
		for row := from; row < to; row++ {
			values, gradients := x[row*s.c:][:s.c], g[row*s.c:][:s.c]
			for i, w := range s.Weight.Value {
				values[i] = w * gradients[i]
			}
		}
	})
}
