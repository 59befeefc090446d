package backbone

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Linear is a fully connected layer: [N, In] to [N, Out], y = x·W + b.
type Linear struct {
	Weight, Bias Param

	cin, cout int // without padding
	In, Out   int // as stored: padded

	packed, back   []float32
	staleF, staleB bool
}

// NewLinear returns a layer of cin to cout features with PyTorch's default
// weights, uniform in ±1/√cin.
func NewLinear(name string, cin, cout int, r *rand.Rand) *Linear {
	l := &Linear{cin: cin, cout: cout, In: kernel.Pad(cin), Out: kernel.Pad(cout), staleF: true, staleB: true}
	size := l.In * l.Out
	l.packed, l.back = make([]float32, size), make([]float32, size)
	l.Weight = Param{
		Name: name + ".weight", Value: make([]float32, size), Grad: make([]float32, size), Decay: true,
		Changed: func() { l.staleF, l.staleB = true, true },
		Export: func(values []float32) *tensor.Tensor {
			t := tensor.New(cout, cin)
			for at := range t.Data {
				t.Data[at] = values[at%cin*l.Out+at/cin]
			}
			return t
		},
		Import: func(values []float32, from *tensor.Tensor) {
			from.MustShape(name+".weight", cout, cin)
			for at, v := range from.Data {
				values[at%cin*l.Out+at/cin] = v
			}
		},
	}
	l.Bias = vectorParam(name+".bias", cout)
	bound := 1 / math.Sqrt(float64(cin))
	weights := tensor.New(cout, cin)
	for _, values := range [][]float32{weights.Data, l.Bias.Value[:cout]} {
		for i := range values {
			values[i] = float32(bound * (2*r.Float64() - 1))
		}
	}
	l.Weight.Import(l.Weight.Value, weights)
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

// Backward sets the gradients of weights and bias from that of the output, dy
// [n, Out], and the input x; and the input's gradient dx [n, In], unless it is nil.
func (l *Linear) Backward(ctx *nn.Context, dx, dy, x []float32, n int) {
	outer(ctx, l.Weight.Grad, x, dy, n, l.In, l.Out, false)
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

// Dropout sets values to zero with probability Rate and scales the others by
// 1/(1 − Rate), so that their expectation stays.
type Dropout struct {
	Rate float64
	mask []float32
}

// Forward draws a mask and applies it to x in place.
func (d *Dropout) Forward(x []float32, r *rand.Rand) {
	if cap(d.mask) < len(x) {
		d.mask = make([]float32, len(x))
	}
	d.mask = d.mask[:len(x)]
	keep := float32(1 / (1 - d.Rate))
	for i := range d.mask {
		d.mask[i] = keep
		if r.Float64() < d.Rate {
			d.mask[i] = 0
		}
	}
	d.Backward(x)
}

// Backward applies the mask of the last Forward to the gradient in place.
func (d *Dropout) Backward(g []float32) {
	for i, m := range d.mask {
		g[i] *= m
	}
}

// DropBlock sets squares of Size×Size pixels of a channel to zero (Ghiasi, Lin,
// Le, "DropBlock", 2018), so many that a share of about Rate of all pixels goes,
// and scales the others so that as much remains in sum as there was pixels.
type DropBlock struct {
	Rate float64
	Size int

	mask  []float32 // as the map's data
	scale float32
}

// Forward draws a mask and applies it to m in place.
func (d *DropBlock) Forward(ctx *nn.Context, m *nn.Map, r *rand.Rand) {
	if len(d.mask) != len(m.Data) {
		d.mask = make([]float32, len(m.Data))
	}
	size := min(d.Size, m.H, m.W)
	// A square starts where it fits: the paper's equation 1.
	fits := (m.H - size + 1) * (m.W - size + 1)
	gamma := d.Rate / float64(size*size) * float64(m.H*m.W) / float64(fits)
	for i := range d.mask {
		d.mask[i] = 1
	}
	for n := range m.N {
		for y := range m.H - size + 1 {
			for x := range m.W - size + 1 {
				for c := range m.C {
					if r.Float64() < gamma {
						d.drop(m, n, y, x, c, size)
					}
				}
			}
		}
	}
	kept := 0.0
	for n := range m.N {
		for y := range m.H {
			for x := range m.W {
				for _, v := range d.mask[m.At(n, y, x):][:m.C] {
					kept += float64(v)
				}
			}
		}
	}
	d.scale = float32(float64(m.N*m.H*m.W*m.C) / max(kept, 1))
	d.Backward(ctx, m)
}

func (d *DropBlock) drop(m *nn.Map, n, y, x, c, size int) {
	for dy := range size {
		for dx := range size {
			d.mask[m.At(n, y+dy, x+dx)+c] = 0
		}
	}
}

// Backward applies the mask of the last Forward to the gradient in place.
func (d *DropBlock) Backward(ctx *nn.Context, g *nn.Map) {
	ctx.Split(g.N*g.H, func(from, to int) {
		for row := from; row < to; row++ {
			at := g.At(row/g.H, row%g.H, 0)
			for i, v := range d.mask[at:][:g.W*g.Channels] {
				g.Data[at+i] *= v * d.scale
			}
		}
	})
}

// CrossEntropy is the mean over n rows of the cross-entropy of softmax(logits)
// with labels of which the share smoothing is spread evenly over all classes. It
// writes the loss' gradient, times weight, to the first classes columns of
// gradient and zero to the rest; logits and gradient have rows of stride values.
// A label below zero leaves its row out. It also counts the rows whose largest
// logit is the label's.
func CrossEntropy(gradient, logits []float32, labels []int, classes, stride int, smoothing, weight float64) (loss float64, correct int) {
	counted := 0
	for _, label := range labels {
		if label >= 0 {
			counted++
		}
	}
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

// Distill is the mean over n rows of the divergence of softmax(logits/temperature)
// from each row's targets, probabilities of all classes, times the square of the
// temperature, which keeps its gradients as large as those of [CrossEntropy] (Hinton
// et al., "Distilling the Knowledge in a Neural Network", 2015). It adds the loss'
// gradient, times weight, to the first columns of gradient; logits and gradient have
// rows of stride values. A row without targets is left out.
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
		top := row[0]
		for _, v := range row {
			top = max(top, v)
		}
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
