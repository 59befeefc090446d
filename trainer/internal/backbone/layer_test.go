package backbone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// The truth here is the definition of each layer in float64, and its central
// differences: a gradient agrees when the layer's float32 result does.

// field is a batch of maps in float64, [N, H, W, C].
type field struct {
	n, h, w, c int
	v          []float64
}

func newField(n, h, w, c int) field { return field{n, h, w, c, make([]float64, n*h*w*c)} }

func randomField(r *rand.Rand, n, h, w, c int) field {
	f := newField(n, h, w, c)
	for i := range f.v {
		f.v[i] = r.NormFloat64()
	}
	return f
}

func (f field) at(n, y, x, c int) float64 {
	if y < 0 || x < 0 || y >= f.h || x >= f.w {
		return 0
	}
	return f.v[((n*f.h+y)*f.w+x)*f.c+c]
}

func (f field) fill(m *nn.Map) *nn.Map {
	values := make([]float32, len(f.v))
	for i, v := range f.v {
		values[i] = float32(v)
	}
	m.Load(values)
	return m
}

func (f field) toMap() *nn.Map { return f.fill(nn.NewMap(f.n, f.h, f.w, f.c)) }

func fromMap(m *nn.Map) field {
	f := newField(m.N, m.H, m.W, m.C)
	for i, v := range m.Tensor().Data {
		f.v[i] = float64(v)
	}
	return f
}

// convolve is the definition, weights [Cout, Cin, k, k].
func convolve(x field, weights []float64, cout, k int) field {
	out := newField(x.n, x.h, x.w, cout)
	i := 0
	for n := range x.n {
		for y := range x.h {
			for xx := range x.w {
				for o := range cout {
					sum := 0.0
					for c := range x.c {
						for dy := range k {
							for dx := range k {
								sum += weights[((o*x.c+c)*k+dy)*k+dx] * x.at(n, y+dy-k/2, xx+dx-k/2, c)
							}
						}
					}
					out.v[i] = sum
					i++
				}
			}
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// difference returns the derivative of loss by v[i], by central differences.
func difference(v []float64, i int, loss func() float64) float64 {
	const step = 1e-5
	held := v[i]
	v[i] = held + step
	up := loss()
	v[i] = held - step
	down := loss()
	v[i] = held
	return (up - down) / (2 * step)
}

// checkGradient compares got with differences at up to 40 places.
func checkGradient(t *testing.T, what string, r *rand.Rand, v, got []float64, loss func() float64) {
	t.Helper()
	scale := 0.0
	for _, g := range got {
		scale = max(scale, math.Abs(g))
	}
	for range min(40, len(v)) {
		i := r.IntN(len(v))
		if want := difference(v, i, loss); math.Abs(got[i]-want) > 1e-4*(scale+1) {
			t.Fatalf("%s: gradient of element %d is %g, differences give %g", what, i, got[i], want)
		}
	}
}

func checkNear(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s: element %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func exported(p Param, values []float32) []float64 {
	data := p.Export(values).Data
	out := make([]float64, len(data))
	for i, v := range data {
		out[i] = float64(v)
	}
	return out
}

// eachContext runs a test for every set of kernels and several threads.
func eachContext(t *testing.T, test func(t *testing.T, ctx *nn.Context)) {
	for _, set := range kernel.Available() {
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s-%d", set.Name(), threads), func(t *testing.T) {
				test(t, &nn.Context{Kernels: set, Threads: threads})
			})
		}
	}
}

func TestConv(t *testing.T) {
	shapes := []struct{ n, h, w, cin, cout int }{{2, 4, 4, 16, 24}, {1, 5, 7, 20, 16}, {2, 13, 11, 16, 32}, {30, 6, 6, 16, 16}}
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		for _, s := range shapes {
			r := rand.New(rand.NewPCG(1, uint64(s.h)))
			c := NewConv("w", s.cin, s.cout, r)
			x, g := randomField(r, s.n, s.h, s.w, s.cin), randomField(r, s.n, s.h, s.w, s.cout)
			in, dout := x.toMap(), g.toMap()
			out, din := nn.NewMap(s.n, s.h, s.w, s.cout), nn.NewMap(s.n, s.h, s.w, s.cin)
			weights := exported(c.Weight, c.Weight.Value)

			c.Forward(ctx, out, in)
			checkNear(t, fmt.Sprint("output ", s), fromMap(out).v, convolve(x, weights, s.cout, 3).v, 1e-4)

			c.Backward(ctx, din, dout, in, false)
			loss := func() float64 { return dot(convolve(x, weights, s.cout, 3).v, g.v) }
			if s.n < 10 {
				checkGradient(t, fmt.Sprint("weights ", s), r, weights, exported(c.Weight, c.Weight.Grad), loss)
				checkGradient(t, fmt.Sprint("input ", s), r, x.v, fromMap(din).v, loss)
			}
			// The loss is bilinear, so it equals both ⟨w, ∂w⟩ and ⟨x, ∂x⟩.
			checkNear(t, fmt.Sprint("⟨w, ∂w⟩, ⟨x, ∂x⟩ ", s),
				[]float64{dot(weights, exported(c.Weight, c.Weight.Grad)) / loss(), dot(x.v, fromMap(din).v) / loss()}, []float64{1, 1}, 1e-3)

			// Changed weights must be packed again, and add must add.
			for i := range c.Weight.Value {
				c.Weight.Value[i] *= 2
			}
			c.Weight.Changed()
			once := fromMap(din).v
			c.Backward(ctx, din, dout, in, true)
			for i := range once {
				once[i] *= 3
			}
			checkNear(t, fmt.Sprint("added to ", s), fromMap(din).v, once, 1e-3)
		}
	})
}

func TestInputConv(t *testing.T) {
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		for _, k := range []int{1, 3} {
			r := rand.New(rand.NewPCG(2, uint64(k)))
			c := NewInputConv("w", k, 3, 24, r)
			x, g := randomField(r, 3, 9, 7, 3), randomField(r, 3, 9, 7, 24)
			in := x.fill(nn.NewInput(3, 9, 7, 3))
			out := nn.NewMap(3, 9, 7, 24)
			weights := exported(c.Weight, c.Weight.Value)
			c.Forward(ctx, out, in)
			checkNear(t, "output", fromMap(out).v, convolve(x, weights, 24, k).v, 1e-5)
			c.Backward(ctx, nil, g.toMap(), in, false)
			loss := func() float64 { return dot(convolve(x, weights, 24, k).v, g.v) }
			checkGradient(t, fmt.Sprint("weights ", k), r, weights, exported(c.Weight, c.Weight.Grad), loss)
		}
	})
}

func TestShortcut(t *testing.T) {
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(3, 3))
		s := NewShortcut("w", 20, 40, r)
		x, g := randomField(r, 2, 5, 6, 20), randomField(r, 2, 5, 6, 40)
		in, out, din := x.toMap(), nn.NewMap(2, 5, 6, 40), nn.NewMap(2, 5, 6, 20)
		weights := exported(s.Weight, s.Weight.Value)
		s.Forward(ctx, out, in)
		checkNear(t, "output", fromMap(out).v, convolve(x, weights, 40, 1).v, 1e-5)
		s.Backward(ctx, din, g.toMap(), in, false)
		loss := func() float64 { return dot(convolve(x, weights, 40, 1).v, g.v) }
		checkGradient(t, "weights", r, weights, exported(s.Weight, s.Weight.Grad), loss)
		checkGradient(t, "input", r, x.v, fromMap(din).v, loss)
	})
}

// normalized is the definition of batch normalization and leaky ReLU.
func normalized(z, res field, weight, bias []float64, slope float64) field {
	out := newField(z.n, z.h, z.w, z.c)
	count := float64(z.n * z.h * z.w)
	for c := range z.c {
		mean, square := 0.0, 0.0
		for i := c; i < len(z.v); i += z.c {
			mean += z.v[i] / count
		}
		for i := c; i < len(z.v); i += z.c {
			square += (z.v[i] - mean) * (z.v[i] - mean) / count
		}
		for i := c; i < len(z.v); i += z.c {
			v := (z.v[i]-mean)/math.Sqrt(square+1e-5)*weight[c] + bias[c] + res.v[i]
			out.v[i] = max(v, slope*v)
		}
	}
	return out
}

func TestBatchNorm(t *testing.T) {
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(4, 4))
		const n, h, w, c = 3, 5, 4, 20
		bn := NewBatchNorm("bn", c)
		for i := range c {
			bn.Weight.Value[i], bn.Bias.Value[i] = float32(1+0.3*r.NormFloat64()), float32(r.NormFloat64())
		}
		weight, bias := exported(bn.Weight, bn.Weight.Value), exported(bn.Bias, bn.Bias.Value)
		z, res, g := randomField(r, n, h, w, c), randomField(r, n, h, w, c), randomField(r, n, h, w, c)
		for i := range z.v {
			z.v[i] += 3 // a mean that matters
		}
		in, out := z.toMap(), nn.NewMap(n, h, w, c)
		bn.Measure(ctx, in)
		bn.Apply(ctx, out, in, res.toMap(), nn.LeakySlope)
		checkNear(t, "output", fromMap(out).v, normalized(z, res, weight, bias, nn.LeakySlope).v, 2e-5)

		grad := g.toMap()
		Unleak(ctx, grad, out)
		bn.Backward(ctx, grad, grad, in)
		loss := func() float64 { return dot(normalized(z, res, weight, bias, nn.LeakySlope).v, g.v) }
		checkGradient(t, "weight", r, weight, exported(bn.Weight, bn.Weight.Grad), loss)
		checkGradient(t, "bias", r, bias, exported(bn.Bias, bn.Bias.Grad), loss)
		checkGradient(t, "input", r, z.v, fromMap(grad).v, loss)

		// Running statistics after one batch: a tenth of the way from 0 and 1.
		mean, square, count := 0.0, 0.0, float64(n*h*w)
		for i := 0; i < len(z.v); i += c {
			mean += z.v[i] / count
		}
		for i := 0; i < len(z.v); i += c {
			square += (z.v[i] - mean) * (z.v[i] - mean) / (count - 1)
		}
		checkNear(t, "running", []float64{float64(bn.Mean[0]), float64(bn.Variance[0])}, []float64{0.1 * mean, 0.9 + 0.1*square}, 1e-5)
	})
}

func TestUnpool(t *testing.T) {
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(5, 5))
		x, g := randomField(r, 2, 7, 5, 16), randomField(r, 2, 3, 2, 16)
		in, out := x.toMap(), nn.NewMap(2, 3, 2, 16)
		nn.MaxPool(ctx, out, in)
		din := randomField(r, 2, 7, 5, 16).toMap()
		Unpool(ctx, din, g.toMap(), in)
		loss := func() float64 {
			sum, i := 0.0, 0
			for n := range 2 {
				for y := range 3 {
					for xx := range 2 {
						for c := range 16 {
							best := math.Inf(-1)
							for d := range 4 {
								best = max(best, x.at(n, 2*y+d/2, 2*xx+d%2, c))
							}
							sum += best * g.v[i]
							i++
						}
					}
				}
			}
			return sum
		}
		checkGradient(t, "input", r, x.v, fromMap(din).v, loss)
	})
}

// TestGradientsDoNotDependOnThreads is exact: sums are cut the same way.
func TestGradientsDoNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	x, g := randomField(r, 4, 12, 12, 32), randomField(r, 4, 12, 12, 48)
	gradient := func(threads int) []float32 {
		ctx := &nn.Context{Kernels: kernel.Best(), Threads: threads}
		c, bn := NewConv("w", 32, 48, rand.New(rand.NewPCG(7, 7))), NewBatchNorm("bn", 48)
		in, z, dz := x.toMap(), nn.NewMap(4, 12, 12, 48), g.toMap()
		c.Forward(ctx, z, in)
		bn.Measure(ctx, z)
		bn.Backward(ctx, dz, dz, z)
		c.Backward(ctx, nil, dz, in, false)
		return append(append([]float32(nil), c.Weight.Grad...), bn.Weight.Grad...)
	}
	want := gradient(1)
	for _, threads := range []int{2, 3, 8} {
		for i, v := range gradient(threads) {
			if v != want[i] {
				t.Fatalf("%d threads: gradient %d is %g, with one thread %g", threads, i, v, want[i])
			}
		}
	}
}
