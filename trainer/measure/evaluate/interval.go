package evaluate

import "math"

// Interval returns the mean of values and half the width of its 95% confidence
// interval as the field reports it, 1.96·std/√n with the population's standard
// deviation. Both are 0 where there are no values.
func Interval(values []float64) (mean, half float64) {
	if len(values) == 0 {
		return 0, 0
	}
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	var variance float64
	for _, v := range values {
		variance += (v - mean) * (v - mean) / n
	}
	return mean, 1.96 * math.Sqrt(variance/n)
}
