package evaluate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// trapezoids is the area under the ROC curve as scikit-learn's roc_curve and auc
// define it: one point for every distinct score, from the highest, at which all that
// reach it count as positive; straight lines between them.
func trapezoids(positives, negatives []float64) float64 {
	thresholds := slices.Compact(slices.Sorted(slices.Values(slices.Concat(positives, negatives))))
	slices.Reverse(thresholds)
	var area, lastX, lastY float64
	for _, t := range thresholds {
		x, y := Share(negatives, t), Share(positives, t)
		area += (x - lastX) * (y + lastY) / 2
		lastX, lastY = x, y
	}
	return area
}

func TestAUROC(t *testing.T) {
	for _, c := range []struct {
		name                 string
		positives, negatives []float64
		want                 float64
	}{
		{"apart", []float64{2, 3}, []float64{0, 1}, 1},
		{"the wrong way round", []float64{0, 1}, []float64{2, 3}, 0},
		{"the same", []float64{1, 1, 1}, []float64{1, 1}, 0.5},
		// y_true [0, 0, 1, 1], y_score [0.1, 0.4, 0.35, 0.8]: the example of
		// scikit-learn's documentation of roc_auc_score.
		{"scikit-learn's example", []float64{0.35, 0.8}, []float64{0.1, 0.4}, 0.75},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := AUROC(c.positives, c.negatives); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	if !math.IsNaN(AUROC(nil, []float64{1})) {
		t.Error("without positives there is no area")
	}
}

func TestAUROCIsTheAreaUnderTheCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		draw := func(shift float64) []float64 {
			values := make([]float64, 1+r.IntN(40))
			for i := range values {
				values[i] = math.Round(4*(r.NormFloat64()+shift)) / 4 // many ties
			}
			return values
		}
		positives, negatives := draw(0.7), draw(0)
		if got, want := AUROC(positives, negatives), trapezoids(positives, negatives); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, the area is %v (%v, %v)", got, want, positives, negatives)
		}
	}
}

func TestFalsePositives(t *testing.T) {
	var positives []float64
	for i := range 20 {
		positives = append(positives, float64(i))
	}
	// 19 of 20 reach 1.
	if got := FalsePositives(positives, []float64{0, 0.5, 1, 7}, 0.95); got != 0.5 {
		t.Errorf("%v, want one half", got)
	}
	if got := FalsePositives(positives, []float64{0, 0.5, 1, 7}, 1); got != 1 {
		t.Errorf("%v when all must pass, want 1", got)
	}
}
