package learner

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Several learners of one network can share the work on a picture that is cut into
// crops: Inputs lists the crops, any learner encodes some of them, and a Picture
// with the Features of all crops stands for the picture.

// Inputs reads a picture and returns its crops. The learner keeps the picture until
// a Picture with Features, or the next call.
//
// Errors: "bad-image"; "internal" where a picture is one input of the network, whose
// features are more than one vector.
func (l *Learner) Inputs(p Picture) (*Inputs, error) {
	if _, whole := l.embedder.(embed.FCN); whole || l.TakesFeatures() {
		return nil, fail(CodeInternal, "there are no crops to be encoded elsewhere, as there are with the embedders grid and sampling")
	}
	cut, err := l.cut(p)
	if err != nil {
		return nil, err
	}
	// The memory of the pixels is used again before the features come.
	view := *cut.view
	view.Pix = append([]uint8(nil), view.Pix...)
	l.pending = &picture{&view, cut.crops}
	inputs := &Inputs{N: len(cut.crops), Size: l.info.InputSize}
	for _, crop := range cut.crops {
		inputs.Pixels = append(inputs.Pixels, crop.Picture.Pix...)
	}
	return inputs, nil
}

// Encode computes the features of crops, [n, InputSize, InputSize, 3] of RGB: the
// means of their feature maps, [n, Channels].
//
// Errors: "internal" for another number of bytes, and without a network.
func (l *Learner) Encode(crops []byte) ([]float32, error) {
	if l.TakesFeatures() {
		return nil, l.blind()
	}
	side := l.info.InputSize
	size := side * side * 3
	if len(crops) == 0 || len(crops)%size != 0 {
		return nil, fail(CodeInternal, "%d bytes of crops: want a multiple of %d (%d×%d, RGB)", len(crops), size, side, side)
	}
	var pictures []*imaging.Image
	for at := 0; at < len(crops); at += size {
		pictures = append(pictures, &imaging.Image{Width: side, Height: side, Pix: crops[at:][:size]})
	}
	features, err := embed.Pool(l.encoder, l.preprocess, pictures...)
	if err != nil {
		return nil, err
	}
	return features.Data, nil
}

// complete returns the picture of the last Inputs with its local embeddings.
func (l *Learner) complete(features []float32) (*imaging.Image, *embed.Set, error) {
	p := l.pending
	if p == nil {
		return nil, nil, fail(CodeInternal, "features came without a request for inputs before")
	}
	n, channels := len(p.crops), l.info.Channels
	if len(features) != n*channels {
		return nil, nil, fail(CodeInternal, "%d features: want %d of each of %d crops", len(features), channels, n)
	}
	l.pending = nil
	return p.view, l.embedder.Set(p.crops, tensor.Of(features, n, 1, 1, channels)), nil
}
