//go:build !js

package studiotest

import (
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
)

// Native is a native learner with the default network and method, the reference for the page.
type Native struct {
	*learner.Learner
	T       *testing.T
	Worst   float64 // the largest difference from the page's probabilities
	network backbone.Network
	labels  []string // in the order of TeachAll
}

// NewNative loads the default network.
func NewNative(t *testing.T) *Native {
	t.Helper()
	file := require.Value(weights.Decode(resnet12s.File, resnet12s.Weights()))(t)
	n := &Native{T: t}
	n.network = require.Value(backbone.New(file, backbone.Options{}))(t)
	n.Learner = require.Value(learner.Open(resnet12s.Weights()))(t)
	return n
}

// Picture converts pixels of the page, RGB or RGBA depending on their number.
func (n *Native) Picture(width, height int, pixels []byte) *imaging.Image {
	n.T.Helper()
	if len(pixels) == 3*width*height {
		return &imaging.Image{Width: width, Height: height, Pix: pixels}
	}
	image := require.Value(imaging.FromRGBA(pixels, width, height))(n.T)
	return image
}

// TeachAll adds examples of a class.
func (n *Native) TeachAll(label string, pictures ...*imaging.Image) {
	n.T.Helper()
	n.labels = append(n.labels, label)
	for _, picture := range pictures {
		require.NoError(n.T, n.Add(label, pixelsOf(picture)))
	}
}

// Answer returns the probability of each class in the order of TeachAll, and the verdict on unknown
// images.
func (n *Native) Answer(picture *imaging.Image) ([]float64, answer.Verdict) {
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

// Embed returns the local embeddings of images.
func (n *Native) Embed(pictures ...*imaging.Image) []*embed.Set {
	n.T.Helper()
	sets := require.Value(embed.Embed(embed.FCN{}, n.network, n.Preprocess(), pictures...))(n.T)
	return sets
}

func pixelsOf(picture *imaging.Image) learner.Picture {
	return learner.Picture{Data: picture.Pix, Width: picture.Width, Height: picture.Height}
}
