package openset

import "math"

// Sighting is what a picture looks like to examples of nothing and to classes.
type Sighting struct {
	// Nothing is the score against examples of nothing, a logit at the usual
	// temperature. NaN for an example of nothing that has no other to be compared with.
	Nothing float64
	// Familiarity is the calibrated score against the classes: see Calibration.
	Familiarity float64
}

// Border divides pictures of something from pictures of nothing, by how much more
// they look like nothing than like the classes.
type Border struct {
	// Level is the difference of Nothing and Familiarity from which on a picture shows
	// nothing.
	Level float64
}

// Priors of a border, in logits: what a further picture of a scene scores against one
// example of it, the deviation of the difference, and the number of examples that
// this prior weighs.
const (
	scene          = 8
	sceneDeviation = 0.8
	sceneWeight    = 4
)

// Divide learns the border from left-out examples of the classes and of nothing. It
// lies as many standard deviations from the one as from the other.
func Divide(known, nothing []Sighting) Border {
	var inside, outside []float64
	for _, s := range known {
		inside = append(inside, s.Nothing-s.Familiarity)
	}
	for _, s := range nothing {
		if math.IsNaN(s.Nothing) {
			s.Nothing = scene
		}
		outside = append(outside, s.Nothing-s.Familiarity)
	}
	from, to := mean(inside), mean(outside)
	near, far := spread(inside, from), spread(outside, to)
	return Border{Level: from + (to-from)*near/(near+far)}
}

// Beyond reports whether a picture shows nothing.
func (b Border) Beyond(nothing, familiarity float64) bool { return nothing-familiarity >= b.Level }

// spread is the standard deviation of values, weighed with the prior's.
func spread(values []float64, mean float64) float64 {
	sum := sceneWeight * sceneDeviation * sceneDeviation
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / (sceneWeight + float64(len(values)) - 1))
}
