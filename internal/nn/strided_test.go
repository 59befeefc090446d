package nn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// convolved computes a convolution by its definition, padded by half the filters' side. Filters are
// [Cout, n, k, k]; output channel o reads n input channels starting at from(o).
func convolved(in *tensor.Tensor, filters *tensor.Tensor, bias []float32, stride int, from func(o int) int) *tensor.Tensor {
	h, w, k, n := in.Shape[1], in.Shape[2], filters.Shape[2], filters.Shape[1]
	out := tensor.New(in.Shape[0], (h+stride-1)/stride, (w+stride-1)/stride, filters.Shape[0])
	for i := range out.Data {
		o := i % out.Shape[3]
		x := i / out.Shape[3] % out.Shape[2]
		y := i / out.Shape[3] / out.Shape[2] % out.Shape[1]
		picture := in.Row(i / out.Shape[3] / out.Shape[2] / out.Shape[1])
		sum := float64(bias[o])
		for ky := range k {
			for kx := range k {
				iy, ix := y*stride-k/2+ky, x*stride-k/2+kx
				if iy < 0 || iy >= h || ix < 0 || ix >= w {
					continue
				}
				for c := range n {
					sum += float64(picture[(iy*w+ix)*in.Shape[3]+from(o)+c]) * float64(filters.Data[((o*n+c)*k+ky)*k+kx])
				}
			}
		}
		out.Data[i] = float32(sum)
	}
	return out
}

// TestStrided compares filters of all sides and strides with their definition, with and
// without what the output held before, on every set of kernels.
func TestStrided(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, k := range []int{1, 3, 7} {
		for _, stride := range []int{1, 2} {
			for _, cin := range []int{3, 20} {
				const n, h, w, cout = 2, 9, 6, 24
				in, filters, bias := random(r, n, h, w, cin), random(r, cout, cin, k, k), random(r, cout).Data
				want := convolved(in, filters, bias, stride, func(int) int { return 0 })
				before := random(r, want.Shape...)
				for _, set := range kernel.Available() {
					for _, add := range []bool{false, true} {
						c := &Context{Kernels: set, Threads: 1 + k%3}
						m := newMap(n, h, w, cin, kernel.Pad(cin), k/2)
						if cin == 3 {
							m = newMap(n, h, w, cin, cin, widest)
						}
						m.Load(in.Data)
						layer := NewStrided(filters, bias, stride)
						rows, columns := layer.Sides(h, w)
						out := newMap(n, rows, columns, layer.Channels(), kernel.Pad(layer.Channels()), k/2)
						out.Load(before.Data)
						layer.Run(c, out, m, add, 0)
						for i, v := range out.Tensor().Data {
							w := want.Data[i]
							if add {
								w += before.Data[i]
							}
							if w = max(w, 0); !(math.Abs(float64(v-w)) <= 1e-4) {
								t.Fatalf("%s, %d×%d, stride %d, %d channels, add %v: value %d is %v, want %v", set.Name(), k, k, stride, cin, add, i, v, w)
							}
						}
					}
				}
			}
		}
	}
}

// TestStridedPast compares 1×1 filters of maps without a border with their definition, with
// every activation, and with what goes past the layer or without.
func TestStridedPast(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, side := range []int{3, 9, 16} { // less than a line of pixels, some lines, and more
		const n, cin, cout = 2, 20, 136
		in, filters, bias := random(r, n, side, side, cin), random(r, cout, cin, 1, 1), random(r, cout).Data
		want, past := convolved(in, filters, bias, 1, func(int) int { return 0 }), random(r, n, side, side, cout)
		for _, set := range kernel.Available() {
			for after, function := range activations {
				for _, threads := range []int{1, 2, 3} {
					var m, beside, out *Map
					m, beside, out = m.FitBare(n, side, side, cin), beside.FitBare(n, side, side, cout), out.FitBare(n, side, side, cout)
					m.Load(in.Data)
					beside.Load(past.Data)
					if threads == 3 {
						beside = nil
					}
					NewStrided(filters, bias, 1).RunPast(&Context{Kernels: set, Threads: threads}, out, m, beside, after)
					for i, v := range out.Tensor().Data {
						w := float64(want.Data[i])
						if beside != nil {
							w += float64(past.Data[i])
						}
						if w = function(w); !(math.Abs(float64(v)-w) <= 1e-4) {
							t.Fatalf("%s, side %d, activation %d, threads %d: value %d is %v, want %v", set.Name(), side, after, threads, i, v, w)
						}
					}
				}
			}
		}
	}
}

var activations = map[Activation]func(float64) float64{
	Identity: func(x float64) float64 { return x }, ReLU: func(x float64) float64 { return max(x, 0) },
	ReLU6: func(x float64) float64 { return min(max(x, 0), 6) }, HardSwish: func(x float64) float64 { return x * min(max(x+3, 0), 6) / 6 },
}

// TestDepthwise compares filters of each channel by itself with their definition.
func TestDepthwise(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, k := range []int{3, 5} {
		for _, stride := range []int{1, 2, 3} {
			const n, h, w, c = 2, 7, 4, 20
			in, filters, bias := random(r, n, h, w, c), random(r, c, 1, k, k), random(r, c).Data
			want := convolved(in, filters, bias, stride, func(o int) int { return o })
			for _, set := range kernel.Available() {
				for after, function := range activations {
					m := NewMap(n, h, w, c)
					m.Load(in.Data)
					layer := NewDepthwise(filters, bias, stride, after)
					rows, columns := layer.Sides(h, w)
					out := newMap(n, rows, columns, layer.Channels(), kernel.Pad(layer.Channels()), k/2)
					layer.Run(&Context{Kernels: set, Threads: 2}, out, m)
					for i, v := range out.Tensor().Data {
						if w := function(float64(want.Data[i])); !(math.Abs(float64(v)-w) <= 1e-5*max(1, math.Abs(w))) {
							t.Fatalf("%s, %d×%d, stride %d, activation %d: value %d is %v, want %v", set.Name(), k, k, stride, after, i, v, w)
						}
					}
				}
			}
		}
	}
}

// TestSqueezeExcite compares the scale of the channels with its definition.
func TestSqueezeExcite(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	const n, h, w, c, s = 2, 3, 5, 20, 8
	in, first, second := random(r, n, h, w, c), random(r, s, c), random(r, c, s)
	firstBias, secondBias := random(r, s).Data, random(r, c).Data
	m := NewMap(n, h, w, c)
	m.Load(in.Data)
	NewSqueezeExcite(first, firstBias, second, secondBias).Run(&Context{Kernels: kernel.Best(), Threads: 2}, m)
	got := m.Tensor()
	for picture := range n {
		var mean [c]float64
		for i, v := range in.Row(picture) {
			mean[i%c] += float64(v) / (h * w)
		}
		var hidden [s]float64
		for i := range hidden {
			hidden[i] = float64(firstBias[i])
			for k, v := range mean {
				hidden[i] += v * float64(first.Data[i*c+k])
			}
			hidden[i] = max(hidden[i], 0)
		}
		for i, v := range in.Row(picture) {
			scale := float64(secondBias[i%c])
			for k, v := range hidden {
				scale += v * float64(second.Data[i%c*s+k])
			}
			want := float64(v) * min(max(scale+3, 0), 6) / 6
			if !(math.Abs(float64(got.Row(picture)[i])-want) <= 1e-5) {
				t.Fatalf("picture %d, value %d: %v, want %v", picture, i, got.Row(picture)[i], want)
			}
		}
	}
}

func TestMaxPool3(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, side := range [][2]int{{6, 9}, {1, 1}, {5, 4}} {
		const n, c = 2, 20
		in := random(r, n, side[0], side[1], c)
		for i := range in.Data {
			in.Data[i] -= 5 // the border's zeros would win
		}
		m, out := NewMap(n, side[0], side[1], c), NewMap(n, (side[0]+1)/2, (side[1]+1)/2, c)
		m.Load(in.Data)
		MaxPool3(&Context{Kernels: kernel.Best(), Threads: 2}, out, m)
		got := out.Tensor()
		for i, v := range got.Data {
			x, y, p := i/c%out.W, i/c/out.W%out.H, i/c/out.W/out.H
			want := float32(math.Inf(-1))
			for iy := max(0, 2*y-1); iy < min(side[0], 2*y+2); iy++ {
				for ix := max(0, 2*x-1); ix < min(side[1], 2*x+2); ix++ {
					want = max(want, in.Row(p)[(iy*side[1]+ix)*c+i%c])
				}
			}
			if v != want {
				t.Fatalf("%v: value %d is %v, want %v", side, i, v, want)
			}
		}
	}
}
