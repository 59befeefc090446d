package protocol

import "github.com/deepemd/deepemd/core/learner"

// Inputs lists the crops of an image, for several workers to encode. addExample or classify
// with their features follows.
type Inputs struct {
	Picture learner.Picture `ts:"Picture"`
	Drafted
}

// In returns the picture of the request.
func (i *Inputs) In() *learner.Picture { return &i.Picture }

// Crops has the crops.
type Crops struct {
	Count  int
	Size   int    // side of each
	Pixels []byte // [count, size, size, 3], RGB
}

// Encode computes the features of crops of any image.
type Encode struct {
	Crops []byte // [n, size, size, 3], RGB
}

// Encoded has the features.
type Encoded struct {
	Features []float32 // [n, channels]
}
