package answer

// Curve is the learning curve: the accuracy by the number of examples. Unknown images and
// background examples have no part in it.
type Curve struct {
	Done    int          // draws of examples
	Total   int          // draws of all points
	Points  []CurvePoint // by the number of examples, those whose draws are done
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

// Share is the share of a class's examples that are classified correctly in a point; ok is
// false where none were asked about.
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
