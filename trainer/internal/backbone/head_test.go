package backbone

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/layertest"
)

func TestLinear(t *testing.T) {
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(1, 1))
		const n, cin, cout = 7, 20, 5
		l := NewLinear("fc", cin, cout, r)
		x, g := layertest.Random(r, n, 1, 1, cin), layertest.Random(r, n, 1, 1, cout)
		weights, bias := layertest.Floats(l.Weight.Export(l.Weight.Value)), layertest.Floats(l.Bias.Export(l.Bias.Value))
		forward := func() []float64 {
			y := make([]float64, n*cout)
			for i := range n {
				for o := range cout {
					y[i*cout+o] = bias[o] + floats.Dot(weights[o*cin:][:cin], x.V[i*cin:][:cin])
				}
			}
			return y
		}
		xs, ys := make([]float32, n*l.In), make([]float32, n*l.Out)
		dx, dy := make([]float32, n*l.In), make([]float32, n*l.Out)
		for i := range n {
			for c := range cin {
				xs[i*l.In+c] = float32(x.V[i*cin+c])
			}
			for o := range cout {
				dy[i*l.Out+o] = float32(g.V[i*cout+o])
			}
		}
		l.Forward(ctx, ys, xs, n)
		for i, want := range forward() {
			if got := float64(ys[i/cout*l.Out+i%cout]); !(math.Abs(got-want) <= 1e-5) {
				t.Fatalf("output %d is %g, want %g", i, got, want)
			}
		}
		l.Backward(ctx, dx, dy, xs, n)
		loss := func() float64 { return floats.Dot(forward(), g.V) }
		layertest.Check(t, "weights", r, weights, layertest.Floats(l.Weight.Export(l.Weight.Grad)), loss)
		layertest.Check(t, "bias", r, bias, layertest.Floats(l.Bias.Export(l.Bias.Grad)), loss)
		din := make([]float64, n*cin)
		for i := range din {
			din[i] = float64(dx[i/cin*l.In+i%cin])
		}
		layertest.Check(t, "input", r, x.V, din, loss)
	})
}

func TestCrossEntropy(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const n, classes, stride = 6, 5, 16
	labels := []int{0, 4, -1, 2, 2, 1}
	logits := layertest.Random(r, n, 1, 1, classes)
	loss := func() float64 {
		sum, counted := 0.0, 0.0
		for i, label := range labels {
			if label < 0 {
				continue
			}
			counted++
			row, norm := logits.V[i*classes:][:classes], 0.0
			for _, v := range row {
				norm += math.Exp(v)
			}
			for j, v := range row {
				target := 0.1 / classes
				if j == label {
					target += 0.9
				}
				sum -= target * (v - math.Log(norm))
			}
		}
		return sum / counted
	}
	values, gradient := make([]float32, n*stride), make([]float32, n*stride)
	for i := range n {
		for j := range classes {
			values[i*stride+j] = float32(logits.V[i*classes+j])
		}
	}
	got, _ := CrossEntropy(gradient, values, labels, classes, stride, 0.1, 1)
	if !(math.Abs(got-loss()) <= 1e-6) {
		t.Errorf("loss %g, want %g", got, loss())
	}
	din := make([]float64, n*classes)
	for i := range din {
		din[i] = float64(gradient[i/classes*stride+i%classes])
	}
	layertest.Check(t, "logits", r, logits.V, din, loss)

	_, correct := CrossEntropy(gradient, []float32{1, 2, 0, 3, 1, 0}, []int{1, 1}, 3, 3, 0, 1)
	if correct != 1 {
		t.Errorf("%d rows counted as correct, want 1", correct)
	}
}

func TestAveragePool(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	x, g := layertest.Random(r, 3, 2, 5, 20), layertest.Random(r, 3, 1, 1, 32)
	m := x.Map()
	mean := make([]float32, 3*m.Channels)
	AveragePool(mean, m)
	pool := func() float64 {
		sum := 0.0
		for n := range 3 {
			for c := range 20 {
				for i := range 10 {
					sum += x.V[(n*10+i)*20+c] / 10 * g.V[n*32+c]
				}
			}
		}
		return sum
	}
	got, dy := 0.0, make([]float32, len(g.V))
	for i, v := range mean {
		got += float64(v) * g.V[i]
		dy[i] = float32(g.V[i])
	}
	if !(math.Abs(got-pool()) <= 1e-5) {
		t.Errorf("⟨pool, g⟩ is %g, want %g", got, pool())
	}
	dst := make([]float32, len(x.V))
	AveragePoolGradient(dst, dy, 3, 2, 5, 20, 32)
	din := make([]float64, len(dst))
	for i, v := range dst {
		din[i] = float64(v)
	}
	layertest.Check(t, "input", r, x.V, din, pool)
}

// The gradient of distillation is the derivative of its loss, and it is added to the existing
// gradient.
func TestDistill(t *testing.T) {
	const n, classes, stride, temperature, weight = 3, 4, 16, 2.5, 0.7
	r := rand.New(rand.NewPCG(3, 4))
	logits, gradient := make([]float32, n*stride), make([]float32, n*stride)
	for i := range logits {
		logits[i], gradient[i] = float32(r.NormFloat64()), 1
	}
	targets := [][]float32{{0.1, 0.2, 0.3, 0.4}, nil, {0, 0, 1, 0}}
	Distill(gradient, logits, targets, stride, temperature, weight)
	loss := func() float64 {
		return Distill(make([]float32, n*stride), logits, targets, stride, temperature, weight)
	}
	for i := range logits {
		const step = 1e-2
		at := logits[i]
		logits[i] = at + step
		above := loss()
		logits[i] = at - step
		want := 1 + weight*(above-loss())/(2*step)
		logits[i] = at
		if !(math.Abs(float64(gradient[i])-want) <= 1e-4) {
			t.Errorf("gradient %d is %g, want %g", i, gradient[i], want)
		}
	}
	// The divergence from the same distribution is zero.
	for i, q := range []float64{0.1, 0.2, 0.3, 0.4} {
		logits[i] = float32(temperature * math.Log(q))
	}
	if got := Distill(gradient, logits, targets[:1], stride, temperature, weight); !(math.Abs(got) <= 1e-6) {
		t.Errorf("divergence from oneself %g, want 0", got)
	}
}

// oneMap is an encoder that always returns the same map.
type oneMap struct{ *tensor.Tensor }

func (o oneMap) Forward(*tensor.Tensor) (*tensor.Tensor, error) { return o.Tensor, nil }
func (o oneMap) Meta() weights.Meta                             { return weights.Meta{} }

func TestPyramidIsThatOfInference(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{5, 5}, {4, 4}, {3, 5}, {2, 2}} {
		const c = 3
		h, w := size[0], size[1]
		fmap := tensor.New(1, h, w, c)
		for i := range fmap.Data {
			fmap.Data[i] = float32(r.NormFloat64())
		}
		p := Pyramid{2, 3, 1}
		sets := require.Value(embed.Embed(embed.FCN{Pyramid: p}, oneMap{fmap}, imaging.Preprocess{Size: 8, Std: [3]float32{1, 1, 1}},
			&imaging.Image{Width: 8, Height: 8, Pix: make([]uint8, 8*8*3)}))(t)
		nodes := make([]float32, p.Nodes(h, w)*c)
		p.Forward(nodes, fmap.Data, h, w, c)
		if len(nodes) != len(sets[0].Data) {
			t.Fatalf("%d values of nodes, want %d", len(nodes), len(sets[0].Data))
		}
		upstream, weighted := make([]float32, len(nodes)), 0.0
		for i, v := range nodes {
			if !(math.Abs(float64(v-sets[0].Data[i])) <= 1e-5) {
				t.Errorf("%d×%d: value %d is %g, inference has %g", h, w, i, v, sets[0].Data[i])
			}
			upstream[i] = float32(r.NormFloat64())
			weighted += float64(v) * float64(upstream[i])
		}
		// A linear map times its gradient equals the weighted sum.
		gradient, sum := make([]float32, h*w*c), 0.0
		p.Backward(gradient, upstream, h, w, c)
		for i, g := range gradient {
			sum += float64(g) * float64(fmap.Data[i])
		}
		if !(math.Abs(sum-weighted) <= 1e-4) {
			t.Errorf("%d×%d: gradient times map is %g, want %g", h, w, sum, weighted)
		}
	}
}
