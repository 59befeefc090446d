package bfloat16

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
)

// mapOf returns a map of random values, and the values as they were rounded,
// [N, H, W, C].
func mapOf(k *Kernels, r *rand.Rand, n, h, w, c int) (*Map, []float64) {
	m, src := k.NewMap(n, h, w, c), nn.NewMap(n, h, w, c)
	values := make([]float32, n*h*w*c)
	for i := range values {
		values[i] = low(kernel.RoundBFloat16(float32(r.NormFloat64())))
	}
	src.Load(values)
	ctx := &nn.Context{Threads: 1}
	m.Load(ctx, src)
	exact := make([]float64, len(values))
	for i, v := range values {
		exact[i] = float64(v)
	}
	return m, exact
}

// stored returns a map's values, [N, H, W, C].
func stored(m *Map) []float32 {
	dst := nn.NewMap(m.N, m.H, m.W, m.C)
	m.Store(&nn.Context{Threads: 1}, dst)
	return dst.Tensor().Data
}

// convolution is one by its definition, in float64, with its derivatives.
type convolution struct{ n, h, w, in, out, taps int }

// each calls do for every product: indices of input, weight and output.
func (c *convolution) each(do func(x, w, y int)) {
	side := map[int]int{1: 0, 9: 1}[c.taps]
	for n := range c.n {
		for y := range c.h {
			for x := range c.w {
				for tap := range c.taps {
					sy, sx := y, x
					if c.taps == 9 {
						sy, sx = y+tap/3-side, x+tap%3-side
					}
					if sy < 0 || sx < 0 || sy >= c.h || sx >= c.w {
						continue
					}
					for i := range c.in {
						for o := range c.out {
							do(((n*c.h+sy)*c.w+sx)*c.in+i, (tap*c.in+i)*c.out+o, ((n*c.h+y)*c.w+x)*c.out+o)
						}
					}
				}
			}
		}
	}
}

// TestConvolutionByDefinition compares a convolution and both of its gradients
// with sums in float64 over the rounded values.
func TestConvolutionByDefinition(t *testing.T) {
	kernels := []*Kernels{Generic()}
	if k, ok := Fast(); ok {
		kernels = append(kernels, k)
	}
	cases := []convolution{
		{n: 3, h: 5, w: 4, in: 16, out: 48, taps: 9},
		{n: 33, h: 2, w: 3, in: 48, out: 32, taps: 9},
		{n: 60, h: 1, w: 2, in: 32, out: 32, taps: 9},
		{n: 2, h: 1, w: 2, in: 64, out: 80, taps: 1},
		{n: 1, h: 1, w: 1, in: 32, out: 16, taps: 9},
	}
	for _, k := range kernels {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s/%d×%d×%d×%d-%d×%d", k.Name(), c.n, c.h, c.w, c.in, c.taps, c.out), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, uint64(c.in)))
				ctx := &nn.Context{Threads: 2}
				in, x := mapOf(k, r, c.n, c.h, c.w, c.in)
				dout, dy := mapOf(k, r, c.n, c.h, c.w, c.out)
				weights, grad := make([]float32, c.taps*c.in*c.out), make([]float32, c.taps*c.in*c.out)
				for i := range weights {
					weights[i] = low(kernel.RoundBFloat16(float32(r.NormFloat64())))
				}
				conv := NewConv(k, Filters{Value: weights, Grad: grad, Taps: c.taps, In: c.in, Out: c.out, Stride: c.out}, c.in)

				wantY, wantX, wantW := make([]float64, len(dy)), make([]float64, len(x)), make([]float64, len(weights))
				c.each(func(ix, iw, iy int) {
					wantY[iy] += x[ix] * float64(weights[iw])
					wantX[ix] += dy[iy] * float64(weights[iw])
					wantW[iw] += x[ix] * dy[iy]
				})

				out := k.NewMap(c.n, c.h, c.w, c.out)
				var m Moments
				conv.Forward(ctx, out, in, &m)
				near(t, "output", stored(out), wantY, 1./256)
				sums, squares := m.Sums()
				wantSum, wantSquare := make([]float64, c.out), make([]float64, c.out)
				for i, v := range wantY {
					wantSum[i%c.out] += v
					wantSquare[i%c.out] += v * v
				}
				near(t, "sums", floats(sums[:c.out]), wantSum, 1e-4)
				near(t, "squares", floats(squares[:c.out]), wantSquare, 1e-4)

				din := in.NewLike()
				Backward(ctx, din, nil, Path{conv, dout})
				near(t, "input's gradient", stored(din), wantX, 1./256)

				transposed, interleaved := NewOperand(c.n, c.h, c.w, c.in), NewOperand(c.n, c.h, c.w, c.out)
				Transposed(ctx, k, transposed, in)
				Interleaved(ctx, k, interleaved, dout)
				conv.Gradient(ctx, transposed, interleaved)
				near(t, "weights' gradient", grad, wantW, 1e-5)
			})
		}
	}
}

func floats(v []float64) []float32 {
	f := make([]float32, len(v))
	for i := range v {
		f[i] = float32(v[i])
	}
	return f
}

// near fails unless the values agree to a part of the largest.
func near(t *testing.T, what string, got []float32, want []float64, share float64) {
	t.Helper()
	largest := 0.0
	for _, w := range want {
		largest = max(largest, math.Abs(w))
	}
	for i, w := range want {
		if !(math.Abs(float64(got[i])-w) <= share*largest) {
			t.Fatalf("%s: value %d is %g, want %g", what, i, got[i], w)
		}
	}
}

func TestRoundingIsToTheNearest(t *testing.T) {
	cases := []struct{ in, want float32 }{
		{1, 1}, {-3.5, -3.5}, {1 + 1./256, 1}, {1 + 3./256, 1 + 4./256}, {1 + 1.5/256, 1 + 2./256},
		{float32(math.Inf(1)), float32(math.Inf(1))}, {0, 0},
	}
	for _, c := range cases {
		if got := low(kernel.RoundBFloat16(c.in)); got != c.want {
			t.Errorf("%g becomes %g, want %g", c.in, got, c.want)
		}
	}
	if v := low(kernel.RoundBFloat16(float32(math.NaN()))); v == v {
		t.Errorf("not a number becomes %g", v)
	}
}

func TestColumnsAreNeighborhoods(t *testing.T) {
	const n, h, w = 2, 3, 4
	pictures := make([]float32, n*h*w*3)
	for i := range pictures {
		pictures[i] = float32(i + 1)
	}
	m := Generic().NewMap(n, h, w, 27)
	m.LoadColumns(&nn.Context{Threads: 2}, pictures)
	got := stored(m)
	for i := range n * h * w {
		picture, y, x := i/(h*w), i/w%h, i%w
		for term := range 27 {
			sy, sx, want := y+term/9-1, x+term/3%3-1, float32(0)
			if sy >= 0 && sx >= 0 && sy < h && sx < w {
				want = pictures[((picture*h+sy)*w+sx)*3+term%3]
			}
			if got[i*27+term] != want {
				t.Fatalf("picture %d, pixel (%d, %d), term %d is %g, want %g", picture, y, x, term, got[i*27+term], want)
			}
		}
	}
}

// TestUnpool compares a pool and its gradient with their definition, in maps with odd sides and an odd
// number of channels. A last row and column without a pool have no gradient, even if the map held one
// before.
func TestUnpool(t *testing.T) {
	const n, h, w, c, slope = 2, 7, 5, 47, 0.5 // products with the slope are exact
	kernels := []*Kernels{Generic()}
	if k, ok := Fast(); ok {
		kernels = append(kernels, k)
	}
	for _, k := range kernels {
		r, ctx := rand.New(rand.NewPCG(3, 1)), &nn.Context{Threads: 2}
		in, sum := mapOf(k, r, n, h, w, c)
		z, zs := mapOf(k, r, n, h, w, c)
		s, ss := mapOf(k, r, n, h, w, c)
		g, gs := mapOf(k, r, n, h/2, w/2, c)
		dsum, _ := mapOf(k, r, n, h, w, c)
		pooled := g.NewLike()
		MaxPool(ctx, k, pooled, in)
		var withZ, withS Moments
		Unpool(ctx, k, dsum, g, in, z, s, slope, &withZ, &withS)

		largest, want := make([]float64, len(gs)), make([]float64, len(sum))
		var sums, products, otherProducts [c]float64
		for i := range gs {
			channel, x, y, image := i%c, i/c%(w/2), i/c/(w/2)%(h/2), i/c/(w/2)/(h/2)
			best := -1
			for pixel := range 4 {
				at := ((image*h+2*y+pixel/2)*w+2*x+pixel%2)*c + channel
				if best < 0 || sum[at] > sum[best] {
					best = at
				}
			}
			largest[i], want[best] = sum[best], gs[i]
			if sum[best] < 0 {
				want[best] *= slope
			}
			sums[channel] += want[best]
			products[channel] += want[best] * zs[best]
			otherProducts[channel] += want[best] * ss[best]
		}
		near(t, k.Name()+": pool", stored(pooled), largest, 0)
		near(t, k.Name()+": gradient", stored(dsum), want, 0)
		first, product := withZ.Sums()
		near(t, k.Name()+": sums", floats(first[:c]), sums[:], 1e-5)
		near(t, k.Name()+": products with z", floats(product[:c]), products[:], 1e-5)
		first, product = withS.Sums()
		near(t, k.Name()+": sums again", floats(first[:c]), sums[:], 1e-5)
		near(t, k.Name()+": products with s", floats(product[:c]), otherProducts[:], 1e-5)
	}
}
