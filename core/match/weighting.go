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

// CrossReference weighs a node by how much it has in common with the other picture
// as a whole, so that background in only one of them counts little (DeepEMD,
// section 3.3, equation 6):
//
//	s_i = max(u_i · mean_j(v_j), 0) + 1e-3
//
// on the features of the network, not centred.
type CrossReference struct{}

// floor keeps every node in the match, as in the reference.
const floor = 1e-3

// OfProduct is the weight, not normalised, of a node whose product with the other
// picture's mean node is given.
func (CrossReference) OfProduct(product float64) float64 { return max(product, 0) + floor }

// Weigh implements Weighting.
func (CrossReference) Weigh(dst []float64, of, against *Prepared) {
	for i := range dst {
		dst[i] = CrossReference{}.OfProduct(float64(dot(of.set.Node(i), against.Mean())))
	}
}

// fromProduct is Weigh out of the product of the two sets' rows, whose products
// of unit nodes with the other picture's mean are step apart: a node is
// norm·unit + centre in every channel, so that its product with a mean is norm
// times the unit node's, and centre times the sum of the mean.
func (CrossReference) fromProduct(dst []float64, of, against *Prepared, products []float32, step int) {
	for i := range dst {
		s := float32(of.norms[i]*float64(products[i*step]) + of.centres[i]*against.total)
		dst[i] = CrossReference{}.OfProduct(float64(s))
	}
}

// String returns "cross-reference".
func (CrossReference) String() string { return "cross-reference" }
