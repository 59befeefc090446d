package nn

import (
	"math"
	"math/rand/v2"
	"testing"

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
					if math.Abs(float64(v)-want) > 1e-5 {
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
					if math.Abs(float64(v)-want[i]) > 2e-5 {
						t.Fatalf("%s, %d tokens, %d threads: value %d is %v, want %v", set.Name(), tokens, threads, i, v, want[i])
					}
				}
			}
		}
	}
}
