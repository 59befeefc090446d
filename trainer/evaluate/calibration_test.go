package evaluate_test

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

func TestCalibrationError(t *testing.T) {
	at := func(p float64) []float32 { return []float32{float32(math.Log(p)), float32(math.Log(1 - p))} }
	both := func(a, b []float32) []float32 { return append(append([]float32(nil), a...), b...) }
	swap := func(l []float32) []float32 { return []float32{l[1], l[0]} }
	for name, c := range map[string]struct {
		logits [][]float32
		want   float64
	}{
		// Queries belong to the first and the second class in turn.
		"always right, with 90%":                {[][]float32{both(at(0.9), swap(at(0.9)))}, 0.1},
		"right half of the time, with 90%":      {[][]float32{both(at(0.9), at(0.9))}, 0.4},
		"three of four right, with 75%":         {[][]float32{both(at(0.75), swap(at(0.75))), both(at(0.75), at(0.75))}, 0},
		"errors of bins do not cancel out":      {[][]float32{both(at(0.9), at(0.6))}, (0.1 + 0.6) / 2},
		"certain and right, in the highest bin": {[][]float32{both([]float32{900, 0}, []float32{0, 900})}, 0},
		"no queries":                            {nil, 0},
	} {
		if got := evaluate.CalibrationError(c.logits, 2); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
