package sound

import "math"

// halfWidth is half the length of the resampling filter, in samples of the lower rate; kaiserBeta
// shapes its window.
const (
	halfWidth  = 10
	kaiserBeta = 5
)

// Resample converts samples between rates, which must be positive, and returns ⌈n·to/from⌉ samples.
//
// The filter equals scipy.signal.resample_poly's. With the rates' ratio up/down in lowest terms it
// is a windowed sinc with cutoff (−6 dB) at the lower Nyquist frequency, 20·max(up, down)+1 taps
// and a Kaiser window with β = 5, in polyphase form, with silence beyond the ends. Taps and sums
// are float64.
func Resample(samples []float32, from, to int) []float32 {
	if from == to {
		return samples
	}
	divisor := gcd(from, to)
	up, down := to/divisor, from/divisor
	taps := resamplingFilter(up, down)
	half := len(taps) / 2
	out := make([]float32, (len(samples)*up+down-1)/down)
	for i := range out {
		// Output i is at i·down on a grid where every up-th place has a sample.
		center := i * down
		first := max(0, (center-half+up-1)/up)
		last := min(len(samples)-1, (center+half)/up)
		var sum float64
		at := half + center - first*up
		for _, v := range samples[first : last+1] {
			sum += taps[at] * float64(v)
			at -= up
		}
		out[i] = float32(sum)
	}
	return out
}

// resamplingFilter returns the taps for a ratio, with gain up.
func resamplingFilter(up, down int) []float64 {
	longest := max(up, down)
	half := halfWidth * longest
	taps := make([]float64, 2*half+1)
	cutoff := 1 / float64(longest)
	window := 1 / bessel0(kaiserBeta)
	var sum float64
	for i := range taps {
		t := float64(i - half)
		sinc := cutoff
		if t != 0 {
			sinc = math.Sin(math.Pi*cutoff*t) / (math.Pi * t)
		}
		r := t / float64(half)
		taps[i] = sinc * bessel0(kaiserBeta*math.Sqrt(1-r*r)) * window
		sum += taps[i]
	}
	for i := range taps {
		taps[i] *= float64(up) / sum
	}
	return taps
}

// bessel0 returns the modified Bessel function of the first kind of order 0. Its power series
// converges quickly for Kaiser windows.
func bessel0(x float64) float64 {
	sum, term := 1., 1.
	for k := 1.; term > 1e-17*sum; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
