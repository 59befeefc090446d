package conformance

import (
	"math"
	"testing"
)

func TestCompare(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name      string
		measure   Measure
		got, want []float64
		worst     float64
		passed    bool
	}{
		{"equal", Absolute, []float64{1, 2}, []float64{1, 2}, 0, true},
		{"within", Absolute, []float64{1.0625, 2}, []float64{1, 2}, 0.0625, true},
		{"beyond", Absolute, []float64{1, 1.5}, []float64{1, 2}, 0.5, false},
		{"relative", Relative, []float64{1.0625, 20}, []float64{1, 20}, 0.0625, true},
		{"relative to a small value", Relative, []float64{0.25, 20}, []float64{0.125, 20}, 1, false},
		{"relative to zero", Relative, []float64{1e-12}, []float64{0}, math.Inf(1), false},
		{"both zero", Relative, []float64{0}, []float64{0}, 0, true},
		{"relative to the rms", RelativeRMS, []float64{3, 0.25, -3, 0.25}, []float64{3, 0, -3, 0}, 0.25 / math.Sqrt(4.5), true},
		{"NaN", Absolute, []float64{nan, 1}, []float64{1, 1}, math.Inf(1), false},
		{"NaN wanted", Absolute, []float64{1, 1}, []float64{nan, 1}, math.Inf(1), false},
		{"missing", Absolute, []float64{1}, []float64{1, 2}, math.Inf(1), false},
		{"nothing", Absolute, nil, nil, 0, false},
	}
	for _, test := range tests {
		check := compare(test.name, test.measure, 0.15, test.got, test.want)
		if check.Worst != test.worst && math.Abs(check.Worst-test.worst) > 1e-12 || check.Passed() != test.passed {
			t.Errorf("%s: worst %v, passed %v; want %v, %v", test.name, check.Worst, check.Passed(), test.worst, test.passed)
		}
	}
}

func TestAgreement(t *testing.T) {
	want := []float32{1, 2, 5, 4}
	for _, test := range []struct {
		got    []float32
		share  float64
		passed bool
	}{
		{[]float32{1, 2, 5, 4}, 1, true},
		{[]float32{2, 1, 5, 4}, 0.5, false},
	} {
		rows, share := agreement(test.got, want, 2)
		check := Check{Compared: 4, Queries: rows, Agreement: share}
		if rows != 2 || share != test.share || check.Passed() != test.passed {
			t.Errorf("%v: %v of %d rows, passed %v", test.got, share, rows, check.Passed())
		}
	}
}
