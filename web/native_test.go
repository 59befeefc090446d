package web_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
)

// native is the classifier of the page, run here: what the page must agree with.
type native struct {
	t          *testing.T
	network    *resnet.Network
	preprocess imaging.Preprocess
	classes    []fewshot.Class
	prototype  fewshot.Prototype
	worst      float64 // the largest difference from the page's probabilities
}

func newNative(t *testing.T) *native {
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
	return &native{
		t: t, network: network,
		preprocess: imaging.Preprocess{Size: meta.InputSize, Mean: meta.Mean, Std: meta.Std},
	}
}

// picture wraps pixels of the page: RGB or RGBA, told apart by length.
func (n *native) picture(width, height int, pixels []byte) *imaging.Image {
	n.t.Helper()
	if len(pixels) == 3*width*height {
		return &imaging.Image{Width: width, Height: height, Pix: pixels}
	}
	image, err := imaging.FromRGBA(pixels, width, height)
	if err != nil {
		n.t.Fatal(err)
	}
	return image
}

// teach adds examples of a class.
func (n *native) teach(class string, pictures ...*imaging.Image) {
	n.t.Helper()
	n.classes = append(n.classes, fewshot.Class{Name: class, Support: n.embed(pictures...)})
	if err := n.prototype.Fit(n.classes); err != nil {
		n.t.Fatal(err)
	}
}

// classify returns the probability of each class, in the order of teaching.
func (n *native) classify(picture *imaging.Image) []float64 {
	n.t.Helper()
	scores, err := n.prototype.Scores(nil, n.embed(picture)[0])
	if err != nil {
		n.t.Fatal(err)
	}
	return fewshot.Softmax(nil, scores)
}

func (n *native) embed(pictures ...*imaging.Image) []*embed.Set {
	n.t.Helper()
	sets, err := embed.FCN{}.Embed(n.network, n.preprocess, pictures...)
	if err != nil {
		n.t.Fatal(err)
	}
	return sets
}
