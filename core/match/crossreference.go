package match

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
