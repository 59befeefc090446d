package learner

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// Bursts of frames teach about as much as one frame of each: other images of a class are no more often unknown,
// and the review states the same accuracy, roughly.
func TestBursts(t *testing.T) {
	const bursts, classes, size = 5, 3, 4 * 12
	taught := func(frames int) (unknown, right float64) {
		r := rand.New(rand.NewPCG(3, 4))
		noisy := func(of []float32, noise float64) []float32 {
			values := make([]float32, size)
			for i := range values {
				values[i] = of[i] + float32(noise*r.NormFloat64())
			}
			return values
		}
		l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 12}, Options{})
		centers := make([][]float32, classes)
		for c := range centers {
			centers[c] = noisy(make([]float32, size), 1)
			for range bursts {
				scene := noisy(centers[c], 1.6)
				for range frames {
					require.NoError(t, l.Add(fmt.Sprint("class ", c), Picture{Embedding: noisy(scene, 0.05)}))
				}
			}
		}
		const asked = 100
		m := l.Model()
		for _, center := range centers {
			for range asked {
				a := require.Value(m.Classify(Picture{Embedding: noisy(center, 1.6)}))(t)
				if a.Verdict.Unknown {
					unknown += 1. / asked / classes
				}
			}
		}
		examples := reviewed(t, l).Examples
		for _, e := range examples {
			if e.Taken == e.ClassID {
				right += 1 / float64(len(examples))
			}
		}
		return unknown, right
	}
	wantUnknown, wantRight := taught(1)
	unknown, right := taught(8)
	t.Logf("unknown %.2f, right %.2f; of single frames %.2f, %.2f", unknown, right, wantUnknown, wantRight)
	if unknown > wantUnknown+0.1 {
		t.Errorf("%.2f of the images are unknown, %.2f if every burst has one frame", unknown, wantUnknown)
	}
	if right > wantRight+0.1 || right < wantRight-0.1 {
		t.Errorf("the review says that %.2f are recognized, %.2f if every burst has one frame", right, wantRight)
	}
}
