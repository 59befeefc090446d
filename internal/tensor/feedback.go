package tensor

import "math"

// taps is the number of weights of a 3×3 filter per channel.
const taps = 9

// correlation is the assumed correlation of neighboring pixels of a map; at distance d it is
// correlation^d. Rounded networks are most accurate with 0.8 to 0.9. The error is a tenth larger
// with 0.6, and two to three times as large with 0.
const correlation = 0.85

// Feedback holds the factors of error feedback in a 3×3 filter: Feedback[i][j] of the error at tap
// i is compensated by tap j > i.
type Feedback [taps][taps]float64

// Round multiplies the weights of 3×3 filters, [n, 9], by scale, and rounds them to integers from
// -most to most. Later taps compensate the rounding error of each tap in proportion to the
// correlation of their pixels, so that the response to smooth maps has a small error. This is the
// optimal feedback (Frantar et al., GPTQ, 2023) for an assumed correlation instead of measured
// inputs, so it needs no pictures.
func (f *Feedback) Round(to, from []float32, scale, most float64) {
	for ; len(from) > 0; from, to = from[taps:], to[taps:] {
		var wanted [taps]float64
		for i, w := range from[:taps] {
			wanted[i] = float64(w) * scale
		}
		for i := range taps {
			w := wanted[i] // including the feedback of earlier taps
			whole := max(-most, min(most, math.RoundToEven(w)))
			to[i] = float32(whole)
			for j := i + 1; j < taps; j++ {
				wanted[j] += (w - whole) * f[i][j]
			}
		}
	}
}

// NewFeedback computes the regression of each tap's pixel on the pixels of later taps.
func NewFeedback() *Feedback {
	var f Feedback
	alike := func(i, j int) float64 {
		return math.Pow(correlation, math.Hypot(float64(i/3-j/3), float64(i%3-j%3)))
	}
	for i := range taps - 1 {
		var system [taps][taps + 1]float64 // equations of the taps after i, right-hand side last
		for r := i + 1; r < taps; r++ {
			for c := i + 1; c < taps; c++ {
				system[r][c] = alike(r, c)
			}
			system[r][taps] = alike(r, i)
		}
		for p := i + 1; p < taps; p++ {
			for r := i + 1; r < taps; r++ {
				if r == p {
					continue
				}
				factor := system[r][p] / system[p][p]
				for c := p; c <= taps; c++ {
					system[r][c] -= factor * system[p][c]
				}
			}
		}
		for j := i + 1; j < taps; j++ {
			f[i][j] = system[j][taps] / system[j][j]
		}
	}
	return &f
}
