package nn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TestDense compares each end of a layer with its definition, on every set of kernels.
func TestDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const rows, in, out = 5, 7, 48
	weight, bias, src := random(r, out, in).Data, random(r, out).Data, random(r, rows, in).Data
	before := random(r, rows, out).Data
	for _, set := range kernel.Available() {
		for threads := 1; threads <= 3; threads++ {
			for _, end := range []End{Biased, Added, Gelu} {
				d := NewDense(tensor.Of(append([]float32(nil), weight...), out, in), bias)
				got := append([]float32(nil), before...)
				d.Run(&Context{Kernels: set, Threads: threads}, got, src, rows, end)
				for i, v := range got {
					want := float64(bias[i%out])
					for k := range in {
						want += float64(weight[i%out*in+k]) * float64(src[i/out*in+k])
					}
					switch end {
					case Added:
						want += float64(before[i])
					case Gelu:
						want *= 0.5 * math.Erfc(-want/math.Sqrt2)
					}
					if !(math.Abs(float64(v)-want) <= 1e-5) {
						t.Fatalf("%s, end %d, %d threads: value %d is %v, want %v", set.Name(), end, threads, i, v, want)
					}
				}
			}
		}
	}
}

// TestAttention compares heads of short and long sequences with their definition.
func TestAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const heads, size, width = 2, 16, 32
	for _, tokens := range []int{1, 5, 16, 150} {
		const sequences = 3
		qkv := random(r, sequences, tokens, 3*width).Data
		want := make([]float64, sequences*tokens*width)
		for s := range sequences {
			at := func(token, part, head, i int) float64 {
				return float64(qkv[(s*tokens+token)*3*width+part*width+head*size+i])
			}
			for head := range heads {
				for q := range tokens {
					weights, sum := make([]float64, tokens), 0.0
					for k := range tokens {
						dot := 0.0
						for i := range size {
							dot += at(q, 0, head, i) * at(k, 1, head, i)
						}
						weights[k] = math.Exp(dot)
						sum += weights[k]
					}
					for k, weight := range weights {
						for i := range size {
							want[(s*tokens+q)*width+head*size+i] += weight / sum * at(k, 2, head, i)
						}
					}
				}
			}
		}
		for _, set := range kernel.Available() {
			for threads := 1; threads <= 3; threads++ {
				got := make([]float32, len(want))
				NewAttention(heads, size).Run(&Context{Kernels: set, Threads: threads}, got, qkv, sequences, tokens)
				for i, v := range got {
					if !(math.Abs(float64(v)-want[i]) <= 2e-5) {
						t.Fatalf("%s, %d tokens, %d threads: value %d is %v, want %v", set.Name(), tokens, threads, i, v, want[i])
					}
				}
			}
		}
	}
}

// TestPointwiseBytes compares with the convolution by the same weights as floats: a pixel is
// off by what rounding its activations costs, and no border is written.
func TestPointwiseBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	normal := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	for _, set := range kernel.Available() {
		for _, c := range []struct{ in, out, h, w, stride, threads int }{{24, 40, 7, 9, 1, 1}, {64, 16, 10, 5, 2, 3}, {16, 80, 1, 1, 1, 2}} {
			filters := weights.Quantize(tensor.Of(normal(c.out*c.in), c.out, c.in, 1, 1))
			bias := normal(c.out)
			pointwise, want := NewPointwiseBytes(filters, bias, c.stride), NewStrided(filters.Widen(), bias, c.stride)
			ctx := Options{Threads: c.threads, Kernels: set}.Context()
			in := NewMap(2, c.h, c.w, c.in)
			in.Load(normal(2 * c.h * c.w * c.in))
			h, w := pointwise.Sides(c.h, c.w)
			for _, add := range []bool{false, true} {
				maps := [2]*Map{NewMap(2, h, w, c.out), NewMap(2, h, w, c.out)}
				before := normal(2 * h * w * c.out)
				for i, layer := range []Convolution{pointwise, want} {
					maps[i].Load(before)
					layer.Run(&ctx, maps[i], in, add, 0.1)
				}
				// Steps are 6/127 at most, and half of one is the error of a term.
				bound := 6 * 0.5 * 6 / 127 / math.Sqrt(3) * math.Sqrt(float64(c.in))
				for i, v := range maps[1].Data {
					if d := math.Abs(float64(maps[0].Data[i] - v)); d > bound || v == 0 && d != 0 {
						t.Fatalf("%s, %+v: value %d is %v, want %v", set.Name(), c, i, maps[0].Data[i], v)
					}
				}
				// The activation can be a part of the layer, or follow it.
				for after := range activations {
					var past *Map
					if add {
						past = NewMap(2, h, w, c.out)
						past.Load(before)
					}
					maps[1].Load(before)
					pointwise.RunPast(&ctx, maps[0], in, past, after)
					pointwise.Run(&ctx, maps[1], in, add, Linear)
					after.Run(&ctx, maps[1])
					if !slices.Equal(maps[0].Tensor().Data, maps[1].Tensor().Data) {
						t.Errorf("%s, %+v, add %v: activation %d differs in the layer", set.Name(), c, add, after)
					}
				}
			}
		}
	}
}

// TestDenseBytes compares every end with the layer of the same weights as floats.
func TestDenseBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, in, out = 70, 48, 80
	weight, bias := tensor.New(out, in), make([]float32, out)
	src, held := make([]float32, rows*in), make([]float32, rows*out)
	for _, values := range [][]float32{weight.Data, bias, src, held} {
		for i := range values {
			values[i] = float32(r.NormFloat64())
		}
	}
	whole := weights.Quantize(weight)
	for _, set := range kernel.Available() {
		ctx := Options{Threads: 2, Kernels: set}.Context()
		for _, end := range []End{Biased, Added, Gelu} {
			got, want := append([]float32(nil), held...), append([]float32(nil), held...)
			NewDenseBytes(whole, bias).Run(&ctx, got, src, rows, end)
			NewDense(whole.Widen(), bias).Run(&ctx, want, src, rows, end)
			sum := 0.0
			for i, v := range want {
				sum += math.Pow(float64(got[i]-v), 2)
			}
			// Each term has an error of about a 5/127 step over √12, times a weight of 1.
			if off, most := math.Sqrt(sum/rows/out), 1.3*5./127/math.Sqrt(12)*math.Sqrt(in); off > most || off == 0 {
				t.Errorf("%s, end %d: off by %.4f, want at most %.4f", set.Name(), end, off, most)
			}
			if end == Gelu {
				NewDenseBytes(whole, make([]float32, out)).Run(&ctx, want, src, rows, Biased)
				if set.Gelu(want, bias, rows, out); !slices.Equal(got, want) {
					t.Errorf("%s: the bias and the activation give other values than after the layer", set.Name())
				}
			}
		}
	}
}
