package match

import (
	"math"
)

// Weighting determines the share of each node in a picture's total weight.
type Weighting interface {
	// Weigh writes the weight of every node of the set of, when matched with against, to dst,
	// [of.N()]. The matcher normalizes weights, so they need no scale. Both sets have the same
	// number of channels.
	Weigh(dst []float64, of, against *Prepared)

	// String returns the name of the weighting.
	String() string
}

// slack is added to each weight before normalizing, as in the reference, so that no total is zero.
const slack = 1e-5

// Normalize scales weights to the given total, in place:
//
//	w_i ← (max(w_i, 0) + slack) · scale,  scale = total / Σ (max(w_i, 0) + slack),
//
// with the reference's slack of 1e-5, so that no total is zero.
//
// It returns the scale, and reports whether the weights are finite.
func Normalize(w []float64, total float64) (scale float64, ok bool) {
	var sum float64
	for i, v := range w {
		w[i] = max(v, 0) + slack
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

// CrossReference weighs a node by its similarity to the other picture as a whole, so that
// background in only one of them has a low weight (DeepEMD, section 3.3, equation 6):
//
//	s_i = max(u_i · mean_j(v_j), 0) + 1e-3
//
// The nodes are raw features, not centered.
type CrossReference struct{}

// floor is the least weight, as in the reference.
const floor = 1e-3

// OfProduct returns the weight, not normalized, of a node with the given product with the other
// picture's mean node.
func (CrossReference) OfProduct(product float64) float64 { return max(product, 0) + floor }

// Weigh implements Weighting.
func (CrossReference) Weigh(dst []float64, of, against *Prepared) {
	for i := range dst {
		dst[i] = CrossReference{}.OfProduct(float64(dot(of.set.Node(i), against.Mean())))
	}
}

// fromProduct is Weigh, computed from the matrix product of the two sets: products[i·step] is the
// product of unit node i with the other picture's mean. A node is norm·unit + center in every
// channel. Its product with a mean is therefore norm times the unit node's product, plus center
// times the sum of the mean.
func (CrossReference) fromProduct(dst []float64, of, against *Prepared, products []float32, step int) {
	for i := range dst {
		s := float32(of.norms[i]*float64(products[i*step]) + of.centers[i]*against.total)
		dst[i] = CrossReference{}.OfProduct(float64(s))
	}
}

// String returns "cross-reference".
func (CrossReference) String() string { return "cross-reference" }
