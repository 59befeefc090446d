package protocol

import (
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
)

// AddClass adds a class without examples.
//
//deepemd:request
type AddClass struct {
	ClassID string
	Label   string
	Nothing bool `wire:",omitempty"` // it is a background class
	Draft   bool `wire:",omitempty"` // of the draft: see begin
}

// RenameClass changes a class's label.
//
//deepemd:request
type RenameClass struct {
	ClassID string
	Label   string
}

// RemoveClass removes a class and its examples.
//
//deepemd:request
type RemoveClass struct {
	ClassID string
}

// EnableClass enables or disables a class.
//
//deepemd:request
type EnableClass struct {
	ClassID string
	Enabled bool
	Draft   bool `wire:",omitempty"` // of the draft
}

// AddExample adds an image to a class.
//
//deepemd:request
type AddExample struct {
	ClassID   string
	ExampleID string
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"` // absent only without a model
	Features  []float32       `wire:",omitempty"`              // features of the crops of the last inputs request, whose image this is
	Embedding []float32       `wire:",omitempty"`              // the embedding of the image, if known
	Answer    bool            `wire:",omitempty"`              // also classify the example
	Draft     bool            `wire:",omitempty"`              // of the draft
}

// AddExampleReply has the model's input and its embedding.
type AddExampleReply struct {
	Size         int       // side in pixels; 0 without an image
	Pixels       []byte    // [size, size, 3], RGB
	Second       []float32 `wire:",omitempty"` // of a sound: the embedded second, at 16 kHz
	OriginalSize int       `wire:",omitempty"`
	Original     []byte    `wire:",omitempty"` // a larger part of the image, if there is one
	Embedding    []float32 `wire:",omitempty"` // [nodes, channels]; absent if the request had it
	Scores       []Score   `wire:",omitempty"` // with the option answer: the example's scores; absent for a background example
	MatchMS      float64   `wire:",omitempty"`
}

// RemoveExample removes an example.
//
//deepemd:request
type RemoveExample struct {
	ExampleID string
}

// Begin starts a draft: new classes and examples with another method. Requests marked draft
// fill it; other requests use the current content. A previous draft is dropped.
//
//deepemd:request
type Begin struct {
	Method method.Method `ts:"MethodOption"` // absent fields have their defaults
	_      struct{}      `wire:"workers" ts:"number"`
	_      struct{}      `wire:"weights,omitempty" ts:"ArrayBuffer"` // for further workers, if the draft's embedder cuts crops
}

// BeginReply describes the draft.
type BeginReply struct {
	Info   Info
	Method method.Method
}

// Commit replaces the current content by the draft.
//
//deepemd:request
type Commit struct{}

// Discard drops the draft.
//
//deepemd:request
type Discard struct{}
