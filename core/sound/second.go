package sound

import (
	"fmt"
	"math"
)

// SilentLevel is the level in dBFS below which a second is silent. A microphone in a quiet room
// exceeds it.
const SilentLevel = -70

// step is the spacing, in samples, of possible beginnings of the second.
const step = Rate / 200

// Second returns the loudest second of a clip, Rate samples without offset: the first second with
// the greatest energy under a Hann window, which centers the sound. Beyond the clip's ends there is
// silence.
//
// # Errors
//
// ErrSilent for a silent or constant clip; for a sample rate that is out of range, the errors of
// FromSamples.
func (c *Clip) Second() ([]float32, error) {
	if err := checkRate(int64(c.Rate)); err != nil {
		return nil, err
	}
	samples := Resample(withoutOffset(c.Samples, c.Rate), c.Rate, Rate)
	second := make([]float32, Rate)
	begin := loudest(samples)
	for i := range second {
		if at := begin + i; at >= 0 && at < len(samples) {
			second[i] = samples[at]
		}
	}
	if level := Level(second); level < SilentLevel {
		return nil, fmt.Errorf("%w: %.0f dBFS at its loudest; is the microphone muted, or another one selected?", ErrSilent, level)
	}
	return second, nil
}

// withoutOffset subtracts the mean around each sample, under a triangle of 50 ms. It removes the
// constant or drifting offset of cheap microphones. The lowest frequency of the features, 60 Hz,
// loses 0.4 dB.
func withoutOffset(samples []float32, rate int) []float32 {
	slow := make([]float64, len(samples))
	for i, v := range samples {
		slow[i] = float64(v)
	}
	half := rate / 80
	sums := make([]float64, len(samples)+1)
	for range 2 { // two moving averages of 25 ms give a triangle
		for i, v := range slow {
			sums[i+1] = sums[i] + v
		}
		for i := range slow {
			from, to := max(i-half, 0), min(i+half+1, len(slow))
			slow[i] = (sums[to] - sums[from]) / float64(to-from)
		}
	}
	steady := make([]float32, len(samples))
	const most = 1e30 // leaves room for the overshoot of Resample
	for i, v := range samples {
		steady[i] = float32(max(-most, min(most, float64(v)-slow[i])))
	}
	return steady
}

// loudest returns the beginning of the loudest second, which may be before the clip.
func loudest(samples []float32) int {
	const steps = Rate / step
	energies := make([]float64, (len(samples)+step-1)/step)
	for i := range energies {
		for _, v := range samples[i*step : min((i+1)*step, len(samples))] {
			energies[i] += float64(v) * float64(v)
		}
	}
	var window [steps]float64
	for i := range window {
		window[i] = 1 - math.Cos(2*math.Pi*(float64(i)+0.5)/steps)
	}
	best, most := 0, -1.
	for begin := -steps / 2; begin+steps/2 <= len(energies); begin++ {
		var sum float64
		for i := max(0, -begin); i < min(steps, len(energies)-begin); i++ {
			sum += window[i] * energies[begin+i]
		}
		if sum > most*(1+1e-9) {
			best, most = begin, sum
		}
	}
	return best * step
}
