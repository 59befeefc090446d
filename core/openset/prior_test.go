package openset

import (
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestParsePrior(t *testing.T) {
	want := HeldOut
	want.Own, want.OwnGrowth, want.Others, want.OthersGrowth = 6.4, 0.5, 2.3, -0.1
	want.Threshold, want.ThresholdGrowth, want.Known, want.Unknown = -0.12, 0, Normal{0.46, 1.16}, Normal{-0.45, 0.92}
	if got := require.Value(ParsePrior("6.4,0.5,2.3,-0.1,-0.12,0,0.46,1.16, -0.45,0.92"))(t); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for text, says := range map[string]string{
		"":                         "want 10 numbers",
		"1,2,3,4,5,6,7,8,9":        "want 10 numbers",
		"1,2,3,4,5,6,7,8,9,10,11":  "want 10 numbers",
		"1,2,3,4,5,6,seven,8,9,10": "\"seven\" is no finite number",
		"NaN,2,3,4,5,6,7,8,9,10":   "no finite number",
		"1,2,3,4,5,6,7,8,9,+Inf":   "no finite number",
		"1,2,3,4,5,6,7,0,9,10":     "positive deviations",
		"1,2,3,4,5,6,7,8,9,-10":    "positive deviations",
		"1,1,12.5,0,0,0,1,1,0,1":   "scores of others below 12.5",
		"1,1,12.4,0.1,0,0,1,1,0,1": "17 times their growth",
		"1,1,2,5,0,0,1,1,0,1":      "17 times their growth",
	} {
		if _, err := ParsePrior(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// A sixth of a normal distribution is more than a deviation above its mean, and a sixth is below.
func TestShareAboveAValue(t *testing.T) {
	n := Normal{Mean: 1, Deviation: 3}
	for value, want := range map[float64]float64{1: 0.5, 4: 0.158655, -2: 0.841345} {
		if got := n.Above(value); !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("%v of the distribution is above %v, want %v", got, value, want)
		}
	}
}
