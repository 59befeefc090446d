package answer

// Review reviews the examples of enabled classes.
type Review struct {
	Examples []ReviewedExample // in order, background examples last
	Classes  []ReviewedClass   // in order
	Familiarity
	Estimated bool    // no class has two examples yet
	Accepted  float64 // share of unknown images that the balanced threshold accepts, measured on other data
	Rejected  float64 // share of known images that it rejects, measured on other data
}

// ReviewedExample is the review of an example. It is left out with similar examples next to it, such as frames of a film.
type ReviewedExample struct {
	ID      string  // the example
	ClassID string  // its class
	Problem string  `wire:",omitempty" ts:"\"dark\" | \"bright\" | \"blurred\""` // a problem of the image
	Twin    string  `wire:",omitempty"`                                          // an earlier, nearly identical example of the class
	Taken   string  `wire:",omitempty"`                                          // the best class when it is left out; absent if there is no other class
	Margin  float64 // the lead of its class when it is left out, in logits
	// It is probably in the wrong class: its margin to the other classes, background aside, is below −3, odds of twenty to one, and its class has at least three examples or films.
	Mislabeled bool `wire:",omitempty"`
}

// LeastJudged is the minimum number of examples or films of a class with mislabeled ones, which the others reveal.
const LeastJudged = 3

// ReviewedClass is the typical similarity of images to their class.
type ReviewedClass struct {
	ID    string  // the class
	Level float64 // in logits at the usual temperature
	Parts int     // examples, or parts of films, that are left out in turn
}

// Familiarity is the familiarity of examples when they are left out.
type Familiarity struct {
	// Familiarity of examples left out of their class, if the class has another.
	Known []float64
	// Familiarity of examples left out with their whole class: they represent images of other
	// classes.
	Unknown []float64
	// The threshold at a strictness of 0.5.
	Balanced float64
	// The threshold is lower by this at a strictness of 0, and higher at 1. It is smaller if the classes are similar.
	Reach float64
	// The threshold is lower than the best one between known and unknown images, because the
	// default strictness would reject more than one in nine of the known examples.
	Relaxed bool
}

// Threshold returns the score that a known image must reach at a strictness from 0 to 1: the
// balanced threshold at one half, lower below, higher above.
func (f *Familiarity) Threshold(strictness float64) float64 {
	return f.Balanced + (2*strictness-1)*f.Reach
}

// Rates returns the expected shares of unknown images that a threshold accepts and of known images that it
// rejects. A relaxed threshold was fitted to the known examples, and rejects more of other images: the
// rule of succession estimates how many. ok is false if there are no examples of either kind.
func (f *Familiarity) Rates(threshold float64) (accepted, rejected float64, ok bool) {
	if len(f.Known) == 0 || len(f.Unknown) == 0 {
		return 0, 0, false
	}
	accepted, rejected = Above(f.Unknown, threshold), 1-Above(f.Known, threshold)
	if n := float64(len(f.Known)); f.Relaxed && threshold < f.Balanced {
		rejected = (n*rejected + 1) / (n + 2)
	}
	return accepted, rejected, true
}

// Above returns the share of scores that reach a threshold, or NaN without scores.
func Above(scores []float64, threshold float64) float64 {
	n := 0
	for _, s := range scores {
		if s >= threshold {
			n++
		}
	}
	return float64(n) / float64(len(scores))
}

// Curve is the learning curve: the accuracy by the number of examples. Unknown images and
// background examples are not included.
type Curve struct {
	Done    int          // finished draws of examples
	Total   int          // all draws
	Points  []CurvePoint // finished points by the number of examples
	Classes []CurveClass // classes with examples, in order
}

// CurvePoint is the accuracy with a given number of other examples per class.
type CurvePoint struct {
	Examples int     // examples per class, fewer if a class has fewer; in the last point all others, and this is the maximum of a class
	Right    float64 // share of the examples that are classified correctly, whether reported as unknown or not
	Spread   float64 // standard deviation of the share between draws; 0 if each example is left out once, as in the last point if the classifier supports it
}

// CurveClass is the accuracy of a class at each point.
type CurveClass struct {
	ID    string // the class
	Label string // its name
	Right []int  // correct answers at each point
	Asked []int  // all answers at each point
}

// Share returns the share of a class's examples that are classified correctly at a point; ok is
// false without answers.
func (c *CurveClass) Share(point int) (share float64, ok bool) {
	if point >= len(c.Asked) || c.Asked[point] == 0 {
		return 0, false
	}
	return float64(c.Right[point]) / float64(c.Asked[point]), true
}

// Gain is the result of a cross-validation of training.
type Gain struct {
	Of     int // held-out examples
	Before int // held-out examples that the classifier recognized before training
	After  int // held-out examples recognized after training
}

// Useless reports whether there was a check and it found no gain.
func (g *Gain) Useless() bool { return g.Of > 0 && g.After <= g.Before }
