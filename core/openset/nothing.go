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

// Boundary divides pictures of something from pictures of nothing, by how much more
// they look like nothing than like the classes.
type Boundary struct {
	// Level is the difference of Nothing and Familiarity from which on a picture shows
	// nothing.
	Level float64
}

// What a border takes from elsewhere, in logits: measured on films of scenes, with
// resnet12-s-150 and classes that it has not learned.
const (
	// sceneLevel is what a picture of a scene scores against one other taken right
	// before or after.
	sceneLevel = 11
	// drift is by how much less pictures of the scene may look like nothing later, in
	// other light.
	drift = 2.5
	// nearDeviation is how widely pictures of the classes spread, and nearWeight the
	// number of examples that it outweighs.
	nearDeviation, nearWeight = 0.8, 4
)

// Divide learns the border from left-out examples of the classes and of nothing, at
// least one of each. It lies below the examples of nothing by a third of the way to
// those of the classes, and by no less than a scene drifts; but no nearer to the
// classes than one and a quarter of their standard deviations, for examples of nothing
// that have little in common.
func Divide(known, nothing []Sighting) Boundary {
	differences := func(list []Sighting) []float64 {
		values := make([]float64, len(list))
		for i, s := range list {
			if math.IsNaN(s.Nothing) {
				s.Nothing = sceneLevel
			}
			values[i] = s.Nothing - s.Familiarity
		}
		return values
	}
	inside, outside := differences(known), differences(nothing)
	from, to := mean(inside), mean(outside)
	squares := nearWeight * nearDeviation * nearDeviation
	for _, v := range inside {
		squares += (v - from) * (v - from)
	}
	near := math.Sqrt(squares / (nearWeight + float64(len(inside)) - 1))
	return Boundary{Level: max(to-max(drift, (to-from)/3), from+1.25*near)}
}

// Beyond reports whether a picture shows nothing.
func (b Boundary) Beyond(s Sighting) bool { return s.Nothing-s.Familiarity >= b.Level }
