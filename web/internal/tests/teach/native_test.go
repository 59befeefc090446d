//go:build !js

package teach_test

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// native learns the page's examples.
type native struct {
	*studiotest.Native
	labels []string // in the order of teach
	worst  float64  // the largest difference from the page's probabilities
}

// teach adds examples of a class.
func (n *native) teach(label string, pictures ...*imaging.Image) {
	n.T.Helper()
	n.labels = append(n.labels, label)
	for _, picture := range pictures {
		require.NoError(n.T, n.Add(label, pixelsOf(picture)))
	}
}

// answer returns the probability of each class in the order of teach, and the verdict on unknown
// images.
func (n *native) answer(picture *imaging.Image) ([]float64, answer.Verdict) {
	n.T.Helper()
	found := require.Value(n.Model().Classify(pixelsOf(picture)))(n.T)
	scores := make([]float64, len(n.labels))
	for i, label := range n.labels {
		for _, s := range found.Scores {
			if s.Label == label {
				scores[i] = s.Score
			}
		}
	}
	return scores, *found.Verdict
}

func pixelsOf(picture *imaging.Image) learner.Picture {
	return learner.Picture{Data: picture.Pix, Width: picture.Width, Height: picture.Height}
}
