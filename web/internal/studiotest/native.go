//go:build !js

package studiotest

import (
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/internal/require"
)

// Native is a native learner with the default network and method, the reference for the page.
type Native struct {
	*learner.Learner
	T *testing.T
}

// NewNative loads the default network.
func NewNative(t *testing.T) *Native {
	t.Helper()
	return &Native{require.Value(learner.Open(resnet12s.Weights()))(t), t}
}

// Picture converts pixels of the page, RGB or RGBA depending on their number.
func (n *Native) Picture(width, height int, pixels []byte) *imaging.Image {
	n.T.Helper()
	image := &imaging.Image{Width: width, Height: height, Pix: pixels}
	if len(pixels) == 4*width*height {
		image.Pix = make([]byte, 3*width*height)
		imaging.FlattenRGBA(image.Pix, pixels)
	}
	return image
}
