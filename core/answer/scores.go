package answer

// Reach is the distance of the thresholds at strictness 0 and 1 from the balanced
// one: more than two standard deviations of the scores of pictures, even with two
// classes.
const Reach = 2.5

// Scores say how known examples look when they are left out.
type Scores struct {
	// Known are the scores of examples left out of their class, if the class has
	// another. Unknown are those of examples whose whole class was left out: they
	// stand for pictures of something else.
	Known, Unknown []float64
	// Balanced is the score at which known pictures are rejected as often as unknown ones are
	// accepted.
	Balanced float64
}

// Threshold is the score that a known picture must reach: the balanced one at a
// strictness of one half, lower below it, higher above, for a strictness from 0 to
// 1.
func (s *Scores) Threshold(strictness float64) float64 {
	return s.Balanced + (2*strictness-1)*Reach
}

// Rates are the share of unknown examples that a threshold accepts and the share of
// known ones that it rejects. It returns false if there are no examples of either kind.
func (s *Scores) Rates(threshold float64) (accepted, rejected float64, ok bool) {
	if len(s.Known) == 0 || len(s.Unknown) == 0 {
		return 0, 0, false
	}
	return Above(s.Unknown, threshold), 1 - Above(s.Known, threshold), true
}

// Above is the share of scores that reach a threshold; without scores it is NaN.
func Above(scores []float64, threshold float64) float64 {
	n := 0
	for _, s := range scores {
		if s >= threshold {
			n++
		}
	}
	return float64(n) / float64(len(scores))
}
