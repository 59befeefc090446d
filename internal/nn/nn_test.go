package nn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

func random(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.New(shape...)
	for i := range t.Data {
		t.Data[i] = float32(r.NormFloat64())
	}
	return t
}

// each runs a test for every set of kernels and for one and three threads.
func each(t *testing.T, test func(t *testing.T, c *Context)) {
	for _, set := range kernel.Available() {
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s-%d", set.Name(), threads), func(t *testing.T) {
				test(t, &Context{Kernels: set, Threads: threads})
			})
		}
	}
}

func loaded(t *tensor.Tensor) *Map {
	m := NewMap(t.Shape[0], t.Shape[1], t.Shape[2], t.Shape[3])
	m.Load(t.Data)
	return m
}

// convolve is the definition: x [N,H,W,Cin], filters [Cout,Cin,k,k], padding k/2.
func convolve(x, filters *tensor.Tensor, bias []float32) *tensor.Tensor {
	n, h, w, cin := x.Shape[0], x.Shape[1], x.Shape[2], x.Shape[3]
	cout, k := filters.Shape[0], filters.Shape[2]
	out := tensor.New(n, h, w, cout)
	for b := range n {
		for y := range h {
			for xx := range w {
				for o := range cout {
					sum := 0.0
					if bias != nil {
						sum = float64(bias[o])
					}
					for dy := range k {
						for dx := range k {
							py, px := y+dy-k/2, xx+dx-k/2
							if py < 0 || px < 0 || py >= h || px >= w {
								continue
							}
							for i := range cin {
								sum += float64(filters.Data[((o*cin+i)*k+dy)*k+dx]) * float64(x.Data[((b*h+py)*w+px)*cin+i])
							}
						}
					}
					out.Data[((b*h+y)*w+xx)*cout+o] = float32(sum)
				}
			}
		}
	}
	return out
}

func near(t *testing.T, what string, got, want []float32, tol float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i] - want[i])); !(d <= tol) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestConv(t *testing.T) {
	shapes := []struct{ n, h, w, cin, cout int }{
		{1, 1, 1, 16, 16}, {1, 4, 4, 32, 80}, {2, 5, 7, 16, 40}, {3, 10, 10, 20, 16}, {1, 21, 21, 16, 32},
		{1, 13, 22, 180, 16}, {2, 11, 12, 3, 64}, {7, 12, 12, 16, 48},
	}
	each(t, func(t *testing.T, c *Context) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, s := range shapes {
			x, filters, bias := random(r, s.n, s.h, s.w, s.cin), random(r, s.cout, s.cin, 3, 3), random(r, s.cout)
			for i := range filters.Data {
				filters.Data[i] /= float32(math.Sqrt(9 * float64(s.cin)))
			}
			want := convolve(x, filters, bias.Data)
			in := loaded(x)
			if s.cin == 3 {
				in = NewInput(s.n, s.h, s.w, s.cin)
				in.Load(x.Data)
			}
			conv := NewConv(filters, bias.Data, false)
			for _, how := range []algorithm{direct, winogradF2, winogradF4, bfloat16} {
				if how != direct && s.cin == 3 {
					continue
				}
				p := conv.pack(c, in.Channels, how)
				for _, add := range []bool{false, true} {
					out := NewMap(s.n, s.h, s.w, s.cout)
					held := random(r, s.n, s.h, s.w, s.cout)
					out.Load(held.Data)
					p(c, out, in, conv.bias, add, LeakySlope)
					expect := make([]float32, len(want.Data))
					for i, v := range want.Data {
						if add {
							v += held.Data[i]
						}
						expect[i] = max(v, LeakySlope*v)
					}
					near(t, fmt.Sprintf("%+v algorithm %d add %v", s, how, add), out.Tensor().Data, expect, 5e-5)
					checkBorder(t, out)
				}
			}
		}
	})
}

// checkBorder fails when a layer wrote outside its pixels or channels: the next
// convolution would read it.
func checkBorder(t *testing.T, m *Map) {
	t.Helper()
	sum, inside := 0.0, 0.0
	for _, v := range m.Data {
		sum += math.Abs(float64(v))
	}
	for _, v := range m.Tensor().Data {
		inside += math.Abs(float64(v))
	}
	if !(math.Abs(sum-inside) <= 1e-9*sum) {
		t.Fatalf("something other than zero lies outside the map: %v in all, %v inside", sum, inside)
	}
}

func TestResultsDoNotDependOnThreadsOrBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	x, filters, bias := random(r, 5, 14, 14, 32), random(r, 48, 32, 3, 3), random(r, 48)
	conv := NewConv(filters, bias.Data, false)
	run := func(x *tensor.Tensor, threads int) []float32 {
		out := NewMap(x.Shape[0], 14, 14, 48)
		conv.Run(&Context{Kernels: kernel.Best(), Threads: threads}, out, loaded(x), false, LeakySlope)
		return out.Tensor().Data
	}
	whole := run(x, 1)
	near(t, "four threads", run(x, 4), whole, 0)
	size := len(whole) / 5
	for i := range 5 {
		one := tensor.Of(x.Row(i), 1, 14, 14, 32)
		near(t, fmt.Sprintf("picture %d alone", i), run(one, 1), whole[i*size:][:size], 0)
	}
}

func TestMaxPool(t *testing.T) {
	each(t, func(t *testing.T, c *Context) {
		r := rand.New(rand.NewPCG(4, 4))
		x := random(r, 2, 7, 5, 20)
		out := NewMap(2, 3, 2, 20)
		MaxPool(c, out, loaded(x))
		got := out.Tensor()
		for n := range 2 {
			for y := range 3 {
				for xx := range 2 {
					for ch := range 20 {
						want := float32(math.Inf(-1))
						for d := range 4 {
							want = max(want, x.Data[((n*7+2*y+d/2)*5+2*xx+d%2)*20+ch])
						}
						if g := got.Data[((n*3+y)*2+xx)*20+ch]; g != want {
							t.Fatalf("picture %d pixel (%d,%d) channel %d is %v, want %v", n, y, xx, ch, g, want)
						}
					}
				}
			}
		}
		checkBorder(t, out)
	})
}

func TestBatchNormFold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x, filters := random(r, 1, 4, 4, 8), random(r, 6, 8, 3, 3)
	bn := BatchNorm{Weight: random(r, 6), Bias: random(r, 6), Mean: random(r, 6), Variance: random(r, 6)}
	for i, v := range bn.Variance.Data {
		bn.Variance.Data[i] = v*v + 0.1
	}
	want := convolve(x, filters, nil)
	for i, v := range want.Data {
		o := i % 6
		want.Data[i] = (v-bn.Mean.Data[o])/float32(math.Sqrt(float64(bn.Variance.Data[o])+1e-5))*bn.Weight.Data[o] + bn.Bias.Data[o]
	}
	scaled, bias := bn.Fold(filters)
	near(t, "folded", convolve(x, scaled, bias).Data, want.Data, 1e-4)
}

// TestSplit sees each index once, however many threads share few or many of them, and work
// follow work.
func TestSplit(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		c := &Context{Threads: threads}
		for round := range 200 {
			n := round % 37
			seen := make([]int, n)
			var running, most atomic.Int32
			c.Split(n, func(from, to int) {
				most.Store(max(most.Load(), running.Add(1)))
				for i := from; i < to; i++ {
					seen[i]++
				}
				running.Add(-1)
			})
			for i, times := range seen {
				if times != 1 {
					t.Fatalf("%d threads, %d indices: %d was seen %d times", threads, n, i, times)
				}
			}
			if int(most.Load()) > threads {
				t.Fatalf("%d at a time, want at most %d", most.Load(), threads)
			}
		}
	}
}

// BenchmarkConv times the second convolution of each block of the full-width
// network for one image on one thread, by every algorithm that a set of kernels
// has, and reports the GFLOP/s of the plain convolution.
func BenchmarkConv(b *testing.B) {
	names := map[algorithm]string{direct: "direct", winogradF2: "F2", winogradF4: "F4", bfloat16: "bfloat16"}
	for _, set := range kernel.Available() {
		for _, size := range []int{84, 32} {
			side := size
			for _, channels := range []int{64, 160, 320, 640} {
				for _, how := range []algorithm{direct, winogradF2, winogradF4, bfloat16} {
					in := NewMap(1, side, side, channels)
					if how == bfloat16 && !set.HasSplits() {
						continue
					}
					b.Run(fmt.Sprintf("%s/px=%d/map=%d/%s", set.Name(), size, side, names[how]), func(b *testing.B) {
						r := rand.New(rand.NewPCG(1, 1))
						in.Load(random(r, 1, side, side, channels).Data)
						c := &Context{Kernels: set, Threads: 1}
						conv := NewConv(random(r, channels, channels, 3, 3), make([]float32, channels), false)
						p, out := conv.pack(c, in.Channels, how), NewMap(1, side, side, channels)
						for b.Loop() {
							p(c, out, in, conv.bias, false, LeakySlope)
						}
						flops := 2 * 9 * float64(side*side*channels*channels)
						b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
					})
				}
				side /= 2
			}
		}
	}
}
