package openset

import (
	"math"
	"testing"
)

func sights(nothing float64, familiarity ...float64) (list []Sighting) {
	for _, f := range familiarity {
		list = append(list, Sighting{nothing, f})
	}
	return list
}

// The boundary is between both kinds, nearer to the background if they are far apart.
func TestBoundary(t *testing.T) {
	for name, c := range map[string]struct {
		known, nothing []Sighting
		want           float64
	}{
		"a third of the way":        {sights(5, 0, 0.5, -0.5, 0), sights(11, -3, -3), 14 - 9./3},
		"a scene drifts":            {sights(7, 0, 0), sights(11, -1), 12 - drift},
		"one example of nothing":    {sights(7, 0, 0), []Sighting{{math.NaN(), -1}}, sceneLevel + 1 - drift},
		"examples with no likeness": {sights(4, 0, 0), sights(4, -0.5, -0.5), 4 + nearDeviation/2*math.Sqrt(4./5)},
		"classes that vary":         {sights(4, -1, 1), sights(4, -0.5, -0.5), 4 + math.Sqrt((4*nearDeviation*nearDeviation+2)/5)/2},
	} {
		if got := Divide(c.known, c.nothing).Level; !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: the border lies at %v, want %v", name, got, c.want)
		}
	}
	b := Boundary{Level: 9}
	if on, inside := b.Excess(Sighting{8, -1}), b.Excess(Sighting{8, -1 + 0.125}); on != 0 || inside != -0.125 {
		t.Errorf("images on the border and inside exceed it by %g and %g", on, inside)
	}
}

// Own corrects the score of a left-out example for the smaller class. The only example of a
// class scores its level.
func TestOwnScoresOfExamples(t *testing.T) {
	l := separate([]int{0, 0, 1}, [][]float64{{5, 2}, {5, 2}, {2, nan()}})
	r := Calibrate(l, plain)
	// The whole class scores 5.25, with the prior's growth. Its level is the mean of this and the prior's 4.25.
	if got := r.Own(l, 0); got != r.Known[0] || got != 0.5 {
		t.Errorf("%v, of the calibration %v, want 0.5", got, r.Known[0])
	}
	want := max(2-r.Level[0], 0)
	if got := r.Own(l, 2); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("the only example of its class scores %v, want %v", got, want)
	}
}
