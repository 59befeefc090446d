package protocol

import "github.com/deepemd/deepemd/core/learner"

// Inputs lists the crops of an image, for several workers to encode. addExample or classify
// with their features follows.
//
//deepemd:request
type Inputs struct {
	Picture learner.Picture `ts:"Picture"`
	Draft   bool            `wire:",omitempty"` // with the draft's embedder
}

// InputsReply has the crops.
type InputsReply struct {
	Count  int
	Size   int    // side of each
	Pixels []byte // [count, size, size, 3], RGB
}

// Encode computes the features of crops of any image.
//
//deepemd:request
type Encode struct {
	Crops []byte // [n, size, size, 3], RGB
}

// EncodeReply has the features.
type EncodeReply struct {
	Features []float32 // [n, channels]
}
