package evaluate

import "math"

// quantile is that of the normal distribution for a 95% confidence interval, as the
// field rounds it.
const quantile = 1.96

// Interval returns the mean of values and half the width of its 95% confidence
// interval as the field reports it, 1.96·std/√n with the population's standard
// deviation. Both are 0 where there are no values.
func Interval(values []float64) (mean, half float64) {
	if len(values) == 0 {
		return 0, 0
	}
	mean, deviation := spread(values)
	return mean, quantile * deviation / math.Sqrt(float64(len(values)))
}

// ShareInterval returns half the width of the 95% confidence interval of a share of
// n cases.
func ShareInterval(share float64, n int) float64 {
	return quantile * math.Sqrt(share*(1-share)/float64(n))
}

// spread is the mean of values and their standard deviation.
func spread(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	var variance float64
	for _, v := range values {
		variance += (v - mean) * (v - mean) / n
	}
	return mean, math.Sqrt(variance)
}
