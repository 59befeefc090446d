package why

import (
	"testing"

	"github.com/deepemd/deepemd/core/answer"
)

func TestPictureGlowsWhereTheEvidenceLies(t *testing.T) {
	e := &answer.Match{
		Score: 6, Total: 2, Temperature: 12,
		From:       answer.NewSide([]answer.Region{{X0: 0, Y0: 0, X1: .5, Y1: 1}, {X0: .5, Y0: 0, X1: 1, Y1: 1}}, []float64{1, 1}),
		To:         answer.NewSide(make([]answer.Region, 1), []float64{2}),
		Similarity: []float64{-.2, 1}, // the left half is matched with a dissimilar part
	}
	e.SetFlow([]float64{1, 1})
	pixels := glow(e)
	if len(pixels) != 4*glowCells*glowCells {
		t.Fatalf("%d bytes", len(pixels))
	}
	at := func(x, y int) (c [4]float64) {
		for k := range c {
			c[k] = float64(pixels[4*(y*glowCells+x)+k])
		}
		return c
	}
	if got := at(1, 10); got != cold {
		t.Errorf("the left is %v, want %v", got, cold)
	}
	if got := at(glowCells-2, 10); got != hot {
		t.Errorf("the right is %v, want %v", got, hot)
	}
}

func TestSmoothKeepsWhatIsTheSameEverywhere(t *testing.T) {
	for i, v := range smooth([]float64{2, 2, 2, 2, 2, 2}, 3) {
		if v != 2 {
			t.Errorf("value %d is %v", i, v)
		}
	}
}
