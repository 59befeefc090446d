package protocol

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
)

// Shown is an image as requests show it.
type Shown struct {
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"` // absent without a model, and with classify and embed if there is an embedding
	Features  []float32       `wire:",omitempty"`              // features of the crops of the last inputs request, whose image this is
	Embedding []float32       `wire:",omitempty"`              // [nodes, channels], if it is known: the model is skipped
}

// In returns the picture of the request.
func (s *Shown) In() *learner.Picture { return &s.Picture }

// Classify classifies an image, or its embedding, among the classes that have examples.
type Classify struct {
	Shown
	Pixels  bool   `wire:",omitempty"` // reply with the model's input
	Live    bool   `wire:",omitempty"` // the image is part of a stream: the answer may ignore the latest examples
	Unknown bool   `wire:",omitempty"` // report whether it belongs to any class, even if the method does not
	Explain bool   `wire:",omitempty"` // also reply with an explanation
	ClassID string `wire:",omitempty"` // the class to explain; default the best
}

// Embed computes the local embeddings of an image, without teaching or classifying it.
type Embed struct{ Shown }

// Embedding is the local embeddings of an image: a set of nodes, each of one region.
type Embedding struct {
	Nodes    int             // the number of nodes
	Channels int             // the length of each node
	Data     []float32       // [nodes, channels], node by node
	Regions  []answer.Region // [nodes, 4]: each node's region as x0, y0, x1, y1, in fractions of the embedded square, from the top left
	Summary  []float32       `wire:",omitempty"` // [channels]: the model's own global descriptor of the image, if it has one (vision transformers do)
}

// Explain explains the similarity of the image that was classified last and a class.
type Explain struct {
	ClassID string `wire:",omitempty"` // default the best
}

// Review reviews the examples of enabled classes. It is a job: see Train.
type Review struct{}
