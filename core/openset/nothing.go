package openset

import "math"

// Sighting holds the similarity of an image to background examples and to the classes.
type Sighting struct {
	// Nothing is the score against the background examples, a logit at the usual
	// temperature; NaN for the only background example.
	Nothing float64
	// Familiarity is the calibrated score against the classes; see Calibration.
	Familiarity float64
}

// Boundary separates background images from images of the classes. It compares the
// difference of an image's two similarities with a level.
type Boundary struct {
	// Level is the smallest difference of Nothing and Familiarity of a background image.
	Level float64
}

// Constants of the boundary in logits, measured on films of scenes with resnet12-s-150 and
// classes that it was not trained on. They suit the default network, too (TestFilm of package learner).
const (
	// sceneLevel is the score of an image of a scene against the previous or next one.
	sceneLevel = 11
	// drift is the tolerated loss of similarity of the scene over time, in other light.
	drift = 2.5
	// nearDeviation is the prior standard deviation of images of the classes, and nearWeight
	// its weight in examples.
	nearDeviation, nearWeight = 0.8, 4
)

// Divide returns the boundary between left-out examples of the classes and of the
// background, at least one of each. From the mean of the background examples, its level is a
// third of the distance toward the mean of the classes, but at least drift. The level stays
// at least half a standard deviation above the mean of the classes, for background examples
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
	return Boundary{Level: max(to-max(drift, (to-from)/3), from+near/2)}
}

// Excess returns the distance of an image from the boundary, in logits: 0 or more for an image of the
// background.
func (b Boundary) Excess(s Sighting) float64 { return s.Nothing - s.Familiarity - b.Level }
