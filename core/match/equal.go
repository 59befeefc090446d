package match

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
