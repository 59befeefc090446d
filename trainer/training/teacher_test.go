package training

import (
	"math"
	"testing"
)

func TestLikenessLeavesThePictureOut(t *testing.T) {
	features := [][]float64{{1, 0}, {0, 1}, {0, 1}, {-1, 0}}
	rows := likeness(features, []int{0, 0, 1, 1}, 2)
	// Without the first picture its class is the second alone.
	if math.Abs(rows[0][0])+math.Abs(rows[0][1]+math.Sqrt(0.5)) > 1e-12 {
		t.Errorf("likeness %v, want 0 and %v", rows[0], -math.Sqrt(0.5))
	}
	// A class of one picture leaves nothing to be like.
	if alone := likeness(features[:3], []int{0, 0, 1}, 2); alone[2][1] != 0 {
		t.Errorf("a picture is %v like the class that it is alone in, want 0", alone[2][1])
	}
}

// Where the same scores are right four times of five, they come to mean 80%.
func TestLikeliest(t *testing.T) {
	logits, labels := make([][]float64, 100), make([]int, 100)
	for i := range logits {
		logits[i] = []float64{0.3, -0.2}
		if i%5 == 0 {
			labels[i] = 1
		}
	}
	p := probabilities(logits[0], likeliest(logits, labels))
	if math.Abs(float64(p[0])-0.8) > 1e-3 || math.Abs(float64(p[0]+p[1])-1) > 1e-6 {
		t.Errorf("probabilities %v, want 0.8 and 0.2", p)
	}
}
