package match

import (
	"fmt"
	"math"
)

// Weighting says how much of a picture's total weight each of its nodes
// carries.
type Weighting interface {
	// Weigh writes the weight of every node of the set of, matched against the
	// picture against, into dst, [of.N()]. Weights need no scale: the matcher
	// normalises them. Both sets have the same number of channels.
	Weigh(dst []float64, of, against *Prepared)

	// String is the name by which it is chosen.
	String() string
}

// weightings are those that ParseWeighting knows, the default first. What merges
// nodes is not among them: a program that does not name it does not link it.
var weightings = [...]Weighting{CrossReference{}, Equal{}}

// ParseWeighting returns the weighting of the given name, "cross-reference" or
// "equal".
func ParseWeighting(name string) (Weighting, error) {
	for _, w := range weightings {
		if w.String() == name {
			return w, nil
		}
	}
	return nil, fmt.Errorf("match: no weighting %q: want one of %v", name, weightings)
}

// slack is what the reference adds to each weight before it normalises them, so
// that no total is zero.
const slack = 1e-5

// normalise turns raw weights into ones that sum to total:
// w_i ← (max(w_i, 0) + 1e-5) · total / Σ. It reports whether they are finite.
func normalise(w []float64, total float64) bool {
	var sum float64
	for i, v := range w {
		w[i] = max(v, 0) + slack
		sum += w[i]
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := total / sum
	for i := range w {
		w[i] *= scale
	}
	return true
}
