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
