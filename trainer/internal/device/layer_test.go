package device

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/layertest"
)

// near compares got with want.
func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s: element %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

// convolve is the definition, weights [Cout, Cin, k, k].
func convolve(x layertest.Field, weights []float64, cout, k int) layertest.Field {
	out := layertest.NewField(x.N, x.H, x.W, cout)
	i := 0
	for n := range x.N {
		for y := range x.H {
			for xx := range x.W {
				for o := range cout {
					sum := 0.0
					for c := range x.C {
						for dy := range k {
							for dx := range k {
								sum += weights[((o*x.C+c)*k+dy)*k+dx] * x.At(n, y+dy-k/2, xx+dx-k/2, c)
							}
						}
					}
					out.V[i] = sum
					i++
				}
			}
		}
	}
	return out
}

func TestConv(t *testing.T) {
	shapes := []struct{ k, n, h, w, cin, cout int }{{3, 2, 4, 4, 16, 24}, {3, 1, 5, 7, 20, 16}, {3, 2, 13, 11, 16, 32}, {3, 30, 6, 6, 16, 16}, {1, 2, 5, 6, 20, 40}}
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		for _, s := range shapes {
			r := rand.New(rand.NewPCG(1, uint64(s.h)))
			c := newLayer(NewFilters("w", false, s.k, s.cin, s.cout, r), false).(inner)
			x, g := layertest.Random(r, s.n, s.h, s.w, s.cin), layertest.Random(r, s.n, s.h, s.w, s.cout)
			in, dout := x.Map(), g.Map()
			out, din := nn.NewMap(s.n, s.h, s.w, s.cout), nn.NewMap(s.n, s.h, s.w, s.cin)
			weights := layertest.Floats(c.Param().Export(c.Param().Value))

			c.forward(ctx, out, in)
			near(t, fmt.Sprint("output ", s), layertest.Floats(out.Tensor()), convolve(x, weights, s.cout, s.k).V, 1e-4)

			for range 2 { // gradients are set, not added
				c.gradient(ctx, dout, in)
			}
			c.backward(ctx, din, dout, false)
			loss := func() float64 { return floats.Dot(convolve(x, weights, s.cout, s.k).V, g.V) }
			if s.n < 10 {
				layertest.Check(t, fmt.Sprint("weights ", s), r, weights, layertest.Floats(c.Param().Export(c.Param().Grad)), loss)
				layertest.Check(t, fmt.Sprint("input ", s), r, x.V, layertest.Floats(din.Tensor()), loss)
			}
			// The loss is bilinear, so it equals both ⟨w, ∂w⟩ and ⟨x, ∂x⟩.
			near(t, fmt.Sprint("⟨w, ∂w⟩, ⟨x, ∂x⟩ ", s),
				[]float64{floats.Dot(weights, layertest.Floats(c.Param().Export(c.Param().Grad))) / loss(), floats.Dot(x.V, layertest.Floats(din.Tensor())) / loss()}, []float64{1, 1}, 1e-3)

			// Changed weights must be packed again, and add must add.
			for i := range c.Param().Value {
				c.Param().Value[i] *= 2
			}
			c.Param().Changed()
			once := layertest.Floats(din.Tensor())
			c.backward(ctx, din, dout, true)
			for i := range once {
				once[i] *= 3
			}
			near(t, fmt.Sprint("added to ", s), layertest.Floats(din.Tensor()), once, 1e-3)
		}
	})
}

// TestFilters: weights have the standard deviation of He et al. for a leaky ReLU, from the number of
// outputs that depend on an input.
func TestFilters(t *testing.T) {
	const k, cin, cout = 3, 32, 80
	square, p := 0.0, NewFilters("w", false, k, cin, cout, rand.New(rand.NewPCG(1, 1)))
	for _, v := range p.Value {
		square += float64(v) * float64(v) / (k * k * cin * cout)
	}
	if got, want := math.Sqrt(square), math.Sqrt(2/(1+nn.LeakySlope*nn.LeakySlope)/(k*k*cout)); !(math.Abs(got/want-1) <= 0.02) {
		t.Errorf("a standard deviation of %g, want %g", got, want)
	}
}

// TestDecay: weight decay applies to filters and matrices, not to normalizations and biases.
func TestDecay(t *testing.T) {
	filters, matrix, bn := NewFilters("w", false, 1, 2, 2, rand.New(rand.NewPCG(1, 1))), NewMatrix("m", 2, 2), NewBatchNorm("bn", 2)
	if !filters.Decay || !matrix.Decay || bn.Weight.Decay || bn.Bias.Decay {
		t.Errorf("decay of filters %v, a matrix %v, a normalization %v and %v", filters.Decay, matrix.Decay, bn.Weight.Decay, bn.Bias.Decay)
	}
}

func TestInputConv(t *testing.T) {
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		for _, k := range []int{1, 3} {
			r := rand.New(rand.NewPCG(2, uint64(k)))
			c := newLayer(NewFilters("w", true, k, 3, 24, r), true).(layer)
			x, g := layertest.Random(r, 3, 9, 7, 3), layertest.Random(r, 3, 9, 7, 24)
			in := x.Fill(nn.NewInput(3, 9, 7, 3))
			out := nn.NewMap(3, 9, 7, 24)
			weights := layertest.Floats(c.Param().Export(c.Param().Value))
			c.forward(ctx, out, in)
			near(t, "output", layertest.Floats(out.Tensor()), convolve(x, weights, 24, k).V, 1e-5)
			for range 2 {
				c.gradient(ctx, g.Map(), in)
			}
			loss := func() float64 { return floats.Dot(convolve(x, weights, 24, k).V, g.V) }
			layertest.Check(t, fmt.Sprint("weights ", k), r, weights, layertest.Floats(c.Param().Export(c.Param().Grad)), loss)
		}
	})
}

// normalized is the definition of batch normalization and leaky ReLU.
func normalized(z, res layertest.Field, weight, bias []float64, slope float64) layertest.Field {
	out := layertest.NewField(z.N, z.H, z.W, z.C)
	count := float64(z.N * z.H * z.W)
	for c := range z.C {
		mean, square := 0.0, 0.0
		for i := c; i < len(z.V); i += z.C {
			mean += z.V[i] / count
		}
		for i := c; i < len(z.V); i += z.C {
			square += (z.V[i] - mean) * (z.V[i] - mean) / count
		}
		for i := c; i < len(z.V); i += z.C {
			v := (z.V[i]-mean)/math.Sqrt(square+1e-5)*weight[c] + bias[c] + res.V[i]
			out.V[i] = max(v, slope*v)
		}
	}
	return out
}

func TestBatchNorm(t *testing.T) {
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(4, 4))
		const n, h, w, c = 4, 5, 4, 20 // more rows than sumParts
		d, bn := &single{processor: processor{*ctx}}, NewBatchNorm("bn", c)
		for i := range c {
			bn.Weight.Value[i], bn.Bias.Value[i] = float32(1+0.3*r.NormFloat64()), float32(r.NormFloat64())
		}
		weight, bias := layertest.Floats(bn.Weight.Export(bn.Weight.Value)), layertest.Floats(bn.Bias.Export(bn.Bias.Value))
		z, res, g := layertest.Random(r, n, h, w, c), layertest.Random(r, n, h, w, c), layertest.Random(r, n, h, w, c)
		for i := range z.V {
			z.V[i] += 3 // a mean that matters
		}
		in, out := z.Map(), nn.NewMap(n, h, w, c)
		bn.Mean[0], bn.Variance[0] = 2, 3
		d.measure(in, bn)
		d.normalize(out, in, res.Map(), bn, nn.LeakySlope)
		near(t, "output", layertest.Floats(out.Tensor()), normalized(z, res, weight, bias, nn.LeakySlope).V, 2e-5)

		grad := g.Map()
		unleak(ctx, grad, out)
		d.descend(grad, grad, in, bn)
		loss := func() float64 { return floats.Dot(normalized(z, res, weight, bias, nn.LeakySlope).V, g.V) }
		layertest.Check(t, "weight", r, weight, layertest.Floats(bn.Weight.Export(bn.Weight.Grad)), loss)
		layertest.Check(t, "bias", r, bias, layertest.Floats(bn.Bias.Export(bn.Bias.Grad)), loss)
		layertest.Check(t, "input", r, z.V, layertest.Floats(grad.Tensor()), loss)

		// Running statistics after one batch: a tenth of the way from 2 and 3.
		mean, square, count := 0.0, 0.0, float64(n*h*w)
		for i := 0; i < len(z.V); i += c {
			mean += z.V[i] / count
		}
		for i := 0; i < len(z.V); i += c {
			square += (z.V[i] - mean) * (z.V[i] - mean) / (count - 1)
		}
		near(t, "running", []float64{float64(bn.Mean[0]), float64(bn.Variance[0])}, []float64{1.8 + 0.1*mean, 2.7 + 0.1*square}, 1e-5)
	})
}

// TestFrozenBatchNorm: with running statistics, a normalization is one affine map
// for each channel, and so are its gradients.
func TestFrozenBatchNorm(t *testing.T) {
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(5, 5))
		const n, h, w, c = 2, 3, 3, 18
		d, bn := &single{processor: processor{*ctx}}, NewBatchNorm("bn", c)
		bn.Frozen = true
		for i := range c {
			bn.Weight.Value[i], bn.Bias.Value[i] = float32(1+0.3*r.NormFloat64()), float32(r.NormFloat64())
			bn.Mean[i], bn.Variance[i] = float32(r.NormFloat64()), float32(0.5+r.Float64())
		}
		means, variances := slices.Clone(bn.Mean), slices.Clone(bn.Variance)
		weight, bias := layertest.Floats(bn.Weight.Export(bn.Weight.Value)), layertest.Floats(bn.Bias.Export(bn.Bias.Value))
		z, g := layertest.Random(r, n, h, w, c), layertest.Random(r, n, h, w, c)
		output := func() []float64 {
			y := make([]float64, len(z.V))
			for i, v := range z.V {
				k := i % c
				y[i] = (v-float64(means[k]))/math.Sqrt(float64(variances[k])+nn.BatchNormEpsilon)*weight[k] + bias[k]
			}
			return y
		}
		in, out, grad := z.Map(), nn.NewMap(n, h, w, c), g.Map()
		d.measure(in, bn)
		d.normalize(out, in, nil, bn, nn.Linear)
		near(t, "output", layertest.Floats(out.Tensor()), output(), 2e-5)
		d.descend(grad, grad, in, bn)
		loss := func() float64 { return floats.Dot(output(), g.V) }
		layertest.Check(t, "weight", r, weight, layertest.Floats(bn.Weight.Export(bn.Weight.Grad)), loss)
		layertest.Check(t, "bias", r, bias, layertest.Floats(bn.Bias.Export(bn.Bias.Grad)), loss)
		layertest.Check(t, "input", r, z.V, layertest.Floats(grad.Tensor()), loss)
		if !slices.Equal(bn.Mean, means) || !slices.Equal(bn.Variance, variances) {
			t.Error("the running statistics were changed")
		}
	})
}

func TestUnpool(t *testing.T) {
	layertest.EachContext(t, func(t *testing.T, ctx *nn.Context) {
		for _, side := range [][2]int{{7, 5}, {6, 4}, {2, 3}, {3, 2}} {
			r := rand.New(rand.NewPCG(5, 5))
			h, w := side[0]/2, side[1]/2
			x, g := layertest.Random(r, 2, side[0], side[1], 16), layertest.Random(r, 2, h, w, 16)
			in, out := x.Map(), nn.NewMap(2, h, w, 16)
			nn.MaxPool(ctx, out, in)
			din := layertest.Random(r, 2, side[0], side[1], 16).Map()
			unpool(ctx, din, g.Map(), in)
			loss := func() float64 {
				sum, i := 0.0, 0
				for n := range 2 {
					for y := range h {
						for xx := range w {
							for c := range 16 {
								best := math.Inf(-1)
								for d := range 4 {
									best = max(best, x.At(n, 2*y+d/2, 2*xx+d%2, c))
								}
								sum += best * g.V[i]
								i++
							}
						}
					}
				}
				return sum
			}
			layertest.Check(t, fmt.Sprint("input ", side), r, x.V, layertest.Floats(din.Tensor()), loss)
		}
	})
}

// TestGradientsDoNotDependOnThreads is exact: sums are cut the same way.
func TestGradientsDoNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	x, g := layertest.Random(r, 4, 12, 12, 32), layertest.Random(r, 4, 12, 12, 48)
	images := layertest.Random(r, 4, 12, 12, 3).Fill(nn.NewInput(4, 12, 12, 3))
	gradient := func(threads int) []float32 {
		d := &single{processor: newProcessor(threads)}
		ctx, bn := &d.ctx, NewBatchNorm("bn", 48)
		c := newLayer(NewFilters("w", false, 3, 32, 48, rand.New(rand.NewPCG(7, 7))), false).(layer)
		in, z, dz := x.Map(), nn.NewMap(4, 12, 12, 48), g.Map()
		c.forward(ctx, z, in)
		d.measure(z, bn)
		d.descend(dz, dz, z, bn)
		c.gradient(ctx, dz, in)
		first := newLayer(NewFilters("w", true, 3, 3, 48, rand.New(rand.NewPCG(8, 8))), true).(layer)
		first.forward(ctx, z, images)
		first.gradient(ctx, g.Map(), images)
		return slices.Concat(c.Param().Grad, bn.Weight.Grad, first.Param().Grad, z.Tensor().Data)
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
