package conformance

import (
	"cmp"
	"fmt"
	"math"
)

// Check is one comparison with the reference.
type Check struct {
	What      string  // what was compared, of which network
	Measure   Measure // how Worst and Tolerance are meant
	Tolerance float64
	Worst     float64 // the largest difference; +Inf where a value is NaN or missing
	Compared  int     // how many values were compared

	// Queries and Agreement are, for logits, how many queries there were and
	// the share of them with the reference's predicted class.
	Queries   int
	Agreement float64
	// Least is the agreement asked for; 0 stands for 99.9%. Logits that tie within
	// the tolerance may fall either way.
	Least float64
}

// Measure is a way to measure a difference.
type Measure string

// The measures of differences.
const (
	// Absolute is |got − want|.
	Absolute Measure = "absolute"
	// Relative is |got − want| / |want|.
	Relative Measure = "relative"
	// RelativeRMS is |got − want| / max(|want|, rms), with the root mean square
	// of all wanted values: what is near zero among them cannot be held to its
	// own size.
	RelativeRMS Measure = "relative to rms"
)

// minAgreement is the share of queries that must have the reference's predicted
// class where a check asks for no other.
const minAgreement = 0.999

// Passed reports whether the check holds.
func (c Check) Passed() bool {
	return c.Compared > 0 && c.Worst <= c.Tolerance && (c.Queries == 0 || c.Agreement >= cmp.Or(c.Least, minAgreement))
}

// String says what was compared and what came of it, in one line.
func (c Check) String() string {
	s := fmt.Sprintf("%s: worst difference %.2e of %d values, tolerance %.0e %s", c.What, c.Worst, c.Compared, c.Tolerance, c.Measure)
	if c.Queries > 0 {
		s += fmt.Sprintf("; %.2f%% of %d predicted classes agree", 100*c.Agreement, c.Queries)
	}
	return s
}

// compare measures the largest difference of got from want.
func compare[T float32 | float64](what string, measure Measure, tolerance float64, got, want []T) Check {
	check := Check{What: what, Measure: measure, Tolerance: tolerance, Compared: len(want)}
	if len(got) != len(want) {
		check.Worst = math.Inf(1)
		return check
	}
	var rms float64
	if measure == RelativeRMS {
		for _, w := range want {
			rms += float64(w) * float64(w)
		}
		rms = math.Sqrt(rms / float64(max(len(want), 1)))
	}
	for i, w := range want {
		difference := math.Abs(float64(got[i]) - float64(w))
		if measure != Absolute && difference > 0 {
			difference /= max(math.Abs(float64(w)), rms)
		}
		if math.IsNaN(difference) {
			difference = math.Inf(1)
		}
		check.Worst = max(check.Worst, difference)
	}
	return check
}

// agreement is the share of rows of way logits whose highest is in one place.
func agreement(got, want []float32, way int) (rows int, share float64) {
	rows = len(want) / way
	same := 0
	for i := range rows {
		if highest(got[i*way:][:way]) == highest(want[i*way:][:way]) {
			same++
		}
	}
	return rows, float64(same) / float64(max(rows, 1))
}

func highest(logits []float32) int {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return best
}
