package protocol

import "github.com/deepemd/deepemd/core/learner"

// Inputs lists the crops of a picture, to be encoded by several workers. The picture
// itself follows by their features: addExample or classify with features.
//
//deepemd:request
type Inputs struct {
	Picture learner.Picture `ts:"Picture"`
	Draft   bool            `wire:",omitempty"` // as the draft cuts them
}

// InputsReply is the crops.
type InputsReply struct {
	Count  int
	Size   int    // side of each
	Pixels []byte // [count, size, size, 3], RGB
}

// Encode computes the features of crops, of any picture.
//
//deepemd:request
type Encode struct {
	Crops []byte // [n, size, size, 3], RGB
}

// EncodeReply is the features.
type EncodeReply struct {
	Features []float32 // [n, channels]
}
