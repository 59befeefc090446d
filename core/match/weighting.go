package match

import (
	"math"
)

// Weighting says how much of a picture's total weight each of its nodes
// carries.
type Weighting interface {
	// Weigh writes the weight of every node of the set of, matched against the
	// picture against, into dst, [of.N()]. Weights need no scale: the matcher
	// normalises them. Both sets have the same number of channels.
	Weigh(dst []float64, of, against *Prepared)

	// String returns the name of the weighting.
	String() string
}

// Slack is added to each weight before normalising, as in the reference, so that no
// total is zero.
const Slack = 1e-5

// Normalise turns weights into ones that sum to total, in place:
//
//	w_i ← (max(w_i, 0) + Slack) · scale,  scale = total / Σ (max(w_i, 0) + Slack).
//
// It returns the scale, and reports whether the weights are finite. Weights that
// are not finite stay the same.
func Normalise(w []float64, total float64) (scale float64, ok bool) {
	var sum float64
	for i, v := range w {
		w[i] = max(v, 0) + Slack
		sum += w[i]
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, false
	}
	scale = total / sum
	for i := range w {
		w[i] *= scale
	}
	return scale, true
}

// NormaliseBackward turns a gradient by normalised weights into the gradient by the
// positive weights that were given to Normalise, in place:
//
//	g_i ← (g_i − Σ_k g_k·w_k/total) · scale,
//
// with the normalised weights w and the scale that Normalise returned.
func NormaliseBackward(gradient, w []float64, total, scale float64) {
	var along float64
	for i, g := range gradient {
		along += g * w[i]
	}
	along /= total
	for i := range gradient {
		gradient[i] = (gradient[i] - along) * scale
	}
}

// Equal gives every node the same weight (the baseline of DeepEMD, Table 2).
type Equal struct{}

// Weigh implements Weighting.
func (Equal) Weigh(dst []float64, _, _ *Prepared) {
	for i := range dst {
		dst[i] = 1
	}
}

// String returns "equal".
func (Equal) String() string { return "equal" }
