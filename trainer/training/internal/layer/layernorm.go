package layer

import (
	"math"

	"github.com/deepemd/deepemd/core/nn"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// LayerNorm is layer normalisation of rows of c channels, a multiple of the kernels' lanes,
// with a weight and a bias for each channel.
type LayerNorm struct {
	Weight, Bias optim.Param // [C]

	c        int
	epsilon  float32
	standard []float32 // the rows, standardised, [rows, C]
	inverse  []float32 // 1 over each row's standard deviation
	sums     []float32 // [sumParts, 2, C]
}

// NewLayerNorm returns a normalisation of c channels: weight 1, bias 0.
func NewLayerNorm(name string, c int, epsilon float32) *LayerNorm {
	l := &LayerNorm{
		Weight: vectorParam(name+".weight", c), Bias: vectorParam(name+".bias", c),
		c: c, epsilon: epsilon, sums: make([]float32, sumParts*2*c),
	}
	for i := range l.Weight.Value {
		l.Weight.Value[i] = 1
	}
	return l
}

// Forward computes y [rows, C] from x; they may be the same.
func (l *LayerNorm) Forward(ctx *nn.Context, y, x []float32, rows int) {
	l.standard, l.inverse = grow(l.standard, rows*l.c), grow(l.inverse, rows)
	ctx.Split(rows, func(from, to int) {
		for row := from; row < to; row++ {
			l.inverse[row] = l.inverseOf(x[row*l.c:][:l.c])
		}
		ctx.Kernels.Standardize(l.standard[from*l.c:], x[from*l.c:], to-from, l.c, l.epsilon)
	})
	l.Again(ctx, y, rows)
}

// inverseOf is 1 over the standard deviation of a row.
func (l *LayerNorm) inverseOf(row []float32) float32 {
	var sum, square float64
	for _, v := range row {
		sum += float64(v)
	}
	mean := sum / float64(len(row))
	for _, v := range row {
		square += (float64(v) - mean) * (float64(v) - mean)
	}
	return float32(1 / math.Sqrt(square/float64(len(row))+float64(l.epsilon)))
}

// Again computes the result of the last Forward again, for those who did not keep it.
func (l *LayerNorm) Again(ctx *nn.Context, y []float32, rows int) {
	ctx.Split(rows, func(from, to int) {
		ctx.Kernels.Normalize(y[from*l.c:to*l.c], l.standard[from*l.c:], l.Weight.Value, l.Bias.Value, nil, to-from, l.c, nn.Linear)
	})
}

// Backward sets the gradients of weight and bias from that of the output, and replaces it,
// g [rows, C], by that of the input.
func (l *LayerNorm) Backward(ctx *nn.Context, g []float32, rows int) {
	columns(ctx, l.Bias.Grad, l.Weight.Grad, l.sums, g, l.standard, rows, l.c)
	ctx.Split(rows, func(from, to int) {
		for row := from; row < to; row++ {
			values := g[row*l.c:][:l.c]
			for i, w := range l.Weight.Value {
				values[i] *= w
			}
		}
		ctx.Kernels.Unstandardize(g[from*l.c:to*l.c], l.standard[from*l.c:], l.inverse[from:], to-from, l.c)
	})
}

// columns sets sum to Σ x and product to Σ x·y over rows, for each of c columns. parts is
// memory, [sumParts, 2, c].
func columns(ctx *nn.Context, sum, product, parts, x, y []float32, rows, c int) {
	clear(parts)
	ctx.Split(sumParts, func(from, to int) {
		for part := from; part < to; part++ {
			first, last := part*rows/sumParts, (part+1)*rows/sumParts
			if first == last {
				continue
			}
			held := parts[part*2*c:]
			ctx.Kernels.Moments(held[:c], held[c:2*c], x[first*c:], y[first*c:], last-first, c)
		}
	})
	copy(sum, parts[:c])
	copy(product, parts[c:2*c])
	for part := 1; part < sumParts; part++ {
		held := parts[part*2*c:]
		for i := range c {
			sum[i] += held[i]
			product[i] += held[c+i]
		}
	}
}

// grow returns n values, unspecified, in the memory of v where it is enough.
func grow(v []float32, n int) []float32 {
	if cap(v) < n {
		return make([]float32, n)
	}
	return v[:n]
}
