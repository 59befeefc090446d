package evaluate

import (
	"math"
	"reflect"
	"testing"
)

// places makes a ranking of a string: x for right ones.
func places(s string) []bool {
	var relevant []bool
	for _, c := range s {
		relevant = append(relevant, c == 'x')
	}
	return relevant
}

// By hand, after the definitions. The first rows are those of Musgrave et al.,
// figure 3: one right in first place of ten is as good for R-Precision as one in
// tenth, but not for MAP@R.
func TestMeasure(t *testing.T) {
	for _, test := range []struct {
		ranking         string
		total           int
		recall          []float64 // at 1, 2, 4
		precision, mapr float64
	}{
		{"x.........", 10, []float64{1, 1, 1}, 0.1, 0.1},
		{".........x", 10, []float64{0, 0, 0}, 0.1, 0.01},
		{"xx........", 10, []float64{1, 1, 1}, 0.2, 0.2},
		{"xxxxxxxxxx", 10, []float64{1, 1, 1}, 1, 1},
		{"x.x.", 2, []float64{1, 1, 1}, 0.5, 0.5}, // the third place is beyond R
		{".xx.", 2, []float64{0, 1, 1}, 0.5, 0.25},
		{".x.x", 3, []float64{0, 1, 1}, 1. / 3, 1. / 6},
		{"...x", 1, []float64{0, 0, 1}, 0, 0},
		{"x.xx.", 4, []float64{1, 1, 1}, 0.75, (1 + 2./3 + 3./4) / 4},
		{"....", 2, []float64{0, 0, 0}, 0, 0},
	} {
		got := Measure(places(test.ranking), test.total, []int{1, 2, 4})
		if !reflect.DeepEqual(got.Recall, test.recall) || math.Abs(got.RPrecision-test.precision) > 1e-12 || math.Abs(got.MAPR-test.mapr) > 1e-12 {
			t.Errorf("%s, %d to find: %+v, want recall %v, R-Precision %v, MAP@R %v", test.ranking, test.total, got, test.recall, test.precision, test.mapr)
		}
	}
}

func TestMeasurePanics(t *testing.T) {
	for _, test := range []struct {
		ranking string
		total   int
	}{{"x", 2}, {"x", 0}, {"", 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q with %d to find: no panic", test.ranking, test.total)
				}
			}()
			Measure(places(test.ranking), test.total, nil)
		}()
	}
}
