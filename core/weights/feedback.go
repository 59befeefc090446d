package weights

import "math"

// taps is the number of weights of a 3×3 filter on one channel.
const taps = 9

// correlation is that of a map's neighbouring pixels, as rounding supposes it: that of
// pixels at a distance d is correlation^d. From 0.8 to 0.9 rounded networks come closest
// to the original; with 0.6 the error is a tenth larger, without any twice to three times.
const correlation = 0.85

// Feedback rounds 3×3 filters: it says which part of the error at tap i tap j > i makes
// up for.
type Feedback [taps][taps]float64

// Round rounds the weights of a 3×3 filter on one channel to whole numbers from -most
// to most. What rounding adds to one tap, those after it take off as far as their pixels
// are like its own, since neighbouring pixels of a map are much alike: the error of the
// filter's response to smooth maps becomes small. It is the optimal feedback (Frantar et
// al., GPTQ, 2023) for inputs of that correlation in place of inputs that were measured,
// so it takes no pictures.
func (f *Feedback) Round(to, from []float32, scale, most float64) {
	var wanted [taps]float64
	for i, w := range from {
		wanted[i] = float64(w) * scale
	}
	for i := range taps {
		w := wanted[i] // with what the taps before left it
		whole := max(-most, min(most, math.RoundToEven(w)))
		to[i] = float32(whole)
		for j := i + 1; j < taps; j++ {
			wanted[j] += (w - whole) * f[i][j]
		}
	}
}

// NewFeedback computes the regression of each tap's pixel on those of the taps after it.
func NewFeedback() *Feedback {
	var f Feedback
	alike := func(i, j int) float64 {
		return math.Pow(correlation, math.Hypot(float64(i/3-j/3), float64(i%3-j%3)))
	}
	for i := range taps - 1 {
		var system [taps][taps + 1]float64 // of the taps after i, their right-hand side last
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
