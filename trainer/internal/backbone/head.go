package backbone

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Linear is a fully connected layer: [N, In] to [N, Out], y = x·W + b.
type Linear struct {
	Weight, Bias device.Param

	In, Out int // as stored: padded

	packed, back   []float32
	staleF, staleB bool
}

// NewLinear returns a layer of cin to cout features with PyTorch's default weights, uniform in
// ±1/√cin.
func NewLinear(name string, cin, cout int, r *rand.Rand) *Linear {
	l := &Linear{In: kernel.Pad(cin), Out: kernel.Pad(cout), staleF: true, staleB: true}
	size := l.In * l.Out
	l.packed, l.back = make([]float32, size), make([]float32, size)
	l.Weight, l.Bias = device.NewMatrix(name+".weight", cin, cout), device.NewVector(name+".bias", cout)
	l.Weight.Changed = func() { l.staleF, l.staleB = true, true }
	bound := 1 / math.Sqrt(float64(cin))
	for _, p := range []*device.Param{&l.Weight, &l.Bias} {
		p.Draw(func() float32 { return float32(bound * (2*r.Float64() - 1)) })
	}
	return l
}

// Forward computes y [n, Out] from x [n, In].
func (l *Linear) Forward(ctx *nn.Context, y, x []float32, n int) {
	if l.staleF {
		ctx.Kernels.Pack(l.packed, l.In, l.Out, func(row, col int) float32 { return l.Weight.Value[row*l.Out+col] })
		l.staleF = false
	}
	ctx.Split(n, func(from, to int) {
		for i := from; i < to; i++ {
			copy(y[i*l.Out:][:l.Out], l.Bias.Value)
		}
		ctx.Kernels.Gemm(to-from, l.In, l.Out, x[from*l.In:], l.In, l.packed, y[from*l.Out:], l.Out, true)
	})
}

// Backward sets the gradients of weights and bias from the gradient of the output, dy [n, Out], and
// the input x. It sets the input's gradient dx [n, In] unless dx is nil.
func (l *Linear) Backward(ctx *nn.Context, dx, dy, x []float32, n int) {
	outer(ctx, l.Weight.Grad, x, dy, n, l.In, l.Out)
	ctx.Split(l.Out/kernel.Lanes, func(from, to int) {
		from, to = from*kernel.Lanes, to*kernel.Lanes
		clear(l.Bias.Grad[from:to])
		for i := range n {
			for o, g := range dy[i*l.Out+from : i*l.Out+to] {
				l.Bias.Grad[from+o] += g
			}
		}
	})
	if dx == nil {
		return
	}
	if l.staleB {
		ctx.Kernels.Pack(l.back, l.Out, l.In, func(row, col int) float32 { return l.Weight.Value[col*l.Out+row] })
		l.staleB = false
	}
	ctx.Split(n, func(from, to int) {
		ctx.Kernels.Gemm(to-from, l.Out, l.In, dy[from*l.Out:], l.Out, l.back, dx[from*l.In:], l.In, false)
	})
}

const (
	outerRows  = 128 // rows of the factors that stay in the cache
	outerChunk = 64  // rows of the product per unit of work
)

// outer computes dw = xᵀ·dy: the gradient of weights [in, out] from the inputs x
// [rows, in] and the gradient of the outputs dy [rows, out]. in and out are multiples of the lanes.
// Every sum is in the order of the rows.
func outer(ctx *nn.Context, dw, x, dy []float32, rows, in, out int) {
	panels, chunks := ctx.Kernels.Panels(out), (in+outerChunk-1)/outerChunk
	ctx.Each(panels*chunks, func(unit int) {
		col, width := ctx.Kernels.Panel(out, unit/chunks)
		first := unit % chunks * outerChunk
		terms := min(outerChunk, in-first)
		for row := 0; row < rows; row += outerRows {
			ctx.Kernels.GemmT(terms, min(outerRows, rows-row), width, x[row*in+first:], in, dy[row*out+col:], out, dw[first*out+col:], out, row > 0)
		}
	})
}

// CrossEntropy returns the mean over n rows of the cross-entropy of softmax(logits) with the labels; the
// share smoothing of each label is spread over all classes. It writes the loss' gradient, times
// weight, to the first classes columns of gradient, and zero to the others; logits and gradient
// have rows of stride values. Rows with a negative label do not count. It also returns the number
// of rows whose largest logit is the label's.
func CrossEntropy(gradient, logits []float32, labels []int, classes, stride int, smoothing, weight float64) (loss float64, correct int) {
	counted := Counted(labels)
	p := make([]float64, classes)
	for i, label := range labels {
		row, g := logits[i*stride:][:classes], gradient[i*stride:][:stride]
		clear(g)
		if label < 0 {
			continue
		}
		best := 0
		for j, v := range row {
			if v > row[best] {
				best = j
			}
		}
		if best == label {
			correct++
		}
		sum := 0.0
		for j, v := range row {
			p[j] = math.Exp(float64(v - row[best]))
			sum += p[j]
		}
		logSum, spread := math.Log(sum), smoothing/float64(classes)
		for j, v := range row {
			target := spread
			if j == label {
				target += 1 - smoothing
			}
			loss -= target * (float64(v-row[best]) - logSum)
			g[j] = float32(weight * (p[j]/sum - target) / float64(counted))
		}
	}
	return loss / float64(max(counted, 1)), correct
}

// Counted returns the number of labels from 0.
func Counted(labels []int) int {
	n := 0
	for _, l := range labels {
		if l >= 0 {
			n++
		}
	}
	return n
}

// Distill returns the mean over n rows of the divergence of softmax(logits/temperature) from each row's
// targets, probabilities of all classes. It is multiplied by the squared temperature, which keeps
// its gradients at the scale of [CrossEntropy] (Hinton et al., "Distilling the Knowledge in a
// Neural Network", 2015). It adds the loss' gradient, times weight, to the first columns of
// gradient; logits and gradient have rows of stride values. Rows without targets do not count.
func Distill(gradient, logits []float32, targets [][]float32, stride int, temperature, weight float64) (loss float64) {
	counted := 0
	for _, target := range targets {
		if target != nil {
			counted++
		}
	}
	var p []float64
	for i, target := range targets {
		if target == nil {
			continue
		}
		row, g := logits[i*stride:][:len(target)], gradient[i*stride:][:len(target)]
		top := slices.Max(row)
		p = p[:0]
		sum := 0.0
		for _, v := range row {
			p = append(p, math.Exp(float64(v-top)/temperature))
			sum += p[len(p)-1]
		}
		logSum := math.Log(sum)
		for j, q := range target {
			q := float64(q)
			if q > 0 {
				loss += q * (math.Log(q) - float64(row[j]-top)/temperature + logSum)
			}
			g[j] += float32(weight * temperature * (p[j]/sum - q) / float64(counted))
		}
	}
	return loss * temperature * temperature / float64(max(counted, 1))
}
