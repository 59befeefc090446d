//go:build !js

package studiotest

import (
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
)

// Native is the classifier of the page, run here: what the page must agree with.
type Native struct {
	T          *testing.T
	network    *resnet.Network
	Preprocess imaging.Preprocess
	classes    []fewshot.Class
	prototype  fewshot.Prototype
	Worst      float64 // the largest difference from the page's probabilities
}

// NewNative loads the default network.
func NewNative(t *testing.T) *Native {
	t.Helper()
	file, err := weights.Decode(resnet12s.File, resnet12s.Weights())
	if err != nil {
		t.Fatal(err)
	}
	network, err := resnet.New(file, resnet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	meta := network.Meta()
	return &Native{
		T: t, network: network,
		Preprocess: imaging.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std},
	}
}

// Picture wraps pixels of the page: RGB or RGBA, told apart by length.
func (n *Native) Picture(width, height int, pixels []byte) *imaging.Image {
	n.T.Helper()
	if len(pixels) == 3*width*height {
		return &imaging.Image{Width: width, Height: height, Pix: pixels}
	}
	image, err := imaging.FromRGBA(pixels, width, height)
	if err != nil {
		n.T.Fatal(err)
	}
	return image
}

// Teach adds examples of a class.
func (n *Native) Teach(class string, pictures ...*imaging.Image) {
	n.T.Helper()
	n.classes = append(n.classes, fewshot.Class{Name: class, Support: n.Embed(pictures...)})
	if err := n.prototype.Fit(n.classes); err != nil {
		n.T.Fatal(err)
	}
}

// Classify returns the probability of each class, in the order of teaching.
func (n *Native) Classify(picture *imaging.Image) []float64 {
	n.T.Helper()
	scores, err := n.prototype.Scores(nil, n.Embed(picture)[0])
	if err != nil {
		n.T.Fatal(err)
	}
	return fewshot.Softmax(nil, scores)
}

func (n *Native) Embed(pictures ...*imaging.Image) []*embed.Set {
	n.T.Helper()
	sets, err := embed.FCN{}.Embed(n.network, n.Preprocess, pictures...)
	if err != nil {
		n.T.Fatal(err)
	}
	return sets
}
