package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestDepthwise(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, c := range []int{16, 48} {
			src, w, bias := random(r, 7*c), random(r, 9*c), random(r, c)
			for _, taps := range [][]Tap{nil, {{Number: 4, Offset: 0}}, {{Number: 0, Offset: 2 * c}, {Number: 8, Offset: 6 * c}, {Number: 3, Offset: 0}}} {
				want, got := make([]float32, c), make([]float32, c)
				for i := range want {
					sum := float64(bias[i])
					for _, tap := range taps {
						sum += float64(src[tap.Offset+i]) * float64(w[tap.Number*c+i])
					}
					want[i] = float32(sum)
				}
				s.Depthwise(got, src, w, bias, taps, c)
				near(t, "depthwise", got, want, 1e-5)
				if len(taps) == 0 {
					continue
				}
				for i := range want {
					want[i] = src[taps[0].Offset+i]
					for _, tap := range taps {
						want[i] = max(want[i], src[tap.Offset+i])
					}
				}
				s.Largest(got, src, taps, c)
				near(t, "largest", got, want, 0)
			}
		}
	})
}

func TestClamped(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		x := make([]float32, 160)
		relu, swish := make([]float32, len(x)), make([]float32, len(x))
		for i := range x {
			x[i] = float32(i-80) / 8
			relu[i] = min(max(x[i], 0), 6)
			swish[i] = x[i] * min(max(x[i]+3, 0), 6) / 6
		}
		got := append([]float32(nil), x...)
		s.Clamp(got, 6)
		near(t, "clamp", got, relu, 0)
		got = append([]float32(nil), x...)
		s.HardSwish(got)
		near(t, "hard-swish", got, swish, 1e-6)
		s.Clamp(nil, 6)
		s.HardSwish(nil)
	})
}

func TestDepthwiseRow(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, c := range []int{16, 48} {
			w, bias := random(r, 9*c), random(r, c)
			for width := 1; width <= 9; width++ {
				rows := [3][]float32{random(r, width*c), random(r, width*c), random(r, width*c)}
				for _, stride := range []int{1, 2} {
					out := (width + stride - 1) / stride
					want, got := make([]float32, out*c), make([]float32, out*c)
					for i := range want {
						sum := float64(bias[i%c])
						for tap := range 9 {
							if x := i/c*stride + tap%3 - 1; x >= 0 && x < width {
								sum += float64(rows[tap/3][x*c+i%c]) * float64(w[tap*c+i%c])
							}
						}
						want[i] = float32(min(max(sum, -1), 2))
					}
					s.DepthwiseRow(got, rows, w, bias, width, stride, c, -1, 2)
					near(t, "depthwise row", got, want, 1e-5)
				}
			}
		}
	})
}
