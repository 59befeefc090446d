package answer_test

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
)

func TestThresholds(t *testing.T) {
	f := answer.Familiarity{Known: []float64{0, 1, -3}, Unknown: []float64{-1, -4}, Balanced: -1, Reach: 2.5}
	for strictness, want := range map[float64]float64{0: -3.5, 0.5: -1, 0.7: 0, 1: 1.5} {
		if got := f.Threshold(strictness); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("strictness %v: threshold %v, want %v", strictness, got, want)
		}
	}
	accepted, rejected, ok := f.Rates(-1) // reached by one unknown example
	if accepted != 0.5 || !(math.Abs(rejected-1./3) <= 1e-12) || !ok {
		t.Errorf("accepted %v, rejected %v, %v", accepted, rejected, ok)
	}
	if _, rejected, _ := f.Rates(-2); !(math.Abs(rejected-1./3) <= 1e-12) {
		t.Errorf("below a threshold that is not relaxed: rejected %v, want a third", rejected)
	}
	f.Known, f.Relaxed = []float64{0, 1, 3}, true
	for threshold, want := range map[float64]float64{-1.1: 0.2, -0.5: 0} { // the threshold is relaxed below Balanced
		if _, rejected, _ := f.Rates(threshold); !(math.Abs(rejected-want) <= 1e-12) {
			t.Errorf("threshold %v: rejected %v, want %v", threshold, rejected, want)
		}
	}
	for _, f := range []answer.Familiarity{{Known: f.Known}, {Unknown: f.Unknown}} {
		if _, _, ok := f.Rates(0); ok {
			t.Errorf("rates of %+v", f)
		}
	}
}

func TestShareOfAClass(t *testing.T) {
	c := answer.CurveClass{Right: []int{1, 0}, Asked: []int{4, 0}}
	for point, want := range []float64{0.25, 0, 0} {
		if share, ok := c.Share(point); share != want || ok != (point == 0) {
			t.Errorf("point %d: %v, %v", point, share, ok)
		}
	}
}

func TestUselessTraining(t *testing.T) {
	for gain, want := range map[answer.Gain]bool{
		{}:                           false,
		{Of: 1}:                      true,
		{Of: 4, Before: 3, After: 2}: true,
		{Of: 4, Before: 3, After: 3}: true,
		{Of: 4, Before: 3, After: 4}: false,
	} {
		if gain.Useless() != want {
			t.Errorf("%+v: useless %v", gain, !want)
		}
	}
}

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		verdict *answer.Verdict
		want    string
	}{{nil, "best"}, {&answer.Verdict{}, "best"}, {&answer.Verdict{Unknown: true}, ""}} {
		a := answer.Answer{Scores: []answer.Score{{Label: "best"}, {Label: "second"}}, Verdict: c.verdict}
		if a.Label() != c.want || a.Unknown() != (c.want == "") {
			t.Errorf("verdict %+v: label %q, unknown %v", c.verdict, a.Label(), a.Unknown())
		}
	}
}
