package protocol

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// Drafted is the part of requests that can use the draft instead of the current content.
type Drafted struct {
	Draft bool `wire:",omitempty"` // of the draft: see begin
}

// InDraft reports whether the request uses the draft.
func (d *Drafted) InDraft() bool { return d.Draft }

// AddClass adds a class without examples.
type AddClass struct {
	ClassID string
	Label   string
	Nothing bool `wire:",omitempty"` // it is a background class
	Drafted
}

// RenameClass changes a class's label.
type RenameClass struct {
	ClassID string
	Label   string
}

// RemoveClass removes a class and its examples.
type RemoveClass struct {
	ClassID string
}

// EnableClass enables or disables a class.
type EnableClass struct {
	ClassID string
	Enabled bool
	Drafted
}

// AddExample adds an image to a class.
type AddExample struct {
	ClassID   string
	ExampleID string
	Shown
	Answer bool `wire:",omitempty"` // also classify the example
	Drafted
}

// Added has the model's input and its embedding.
type Added struct {
	Pixels    *answer.Image  // absent without an image
	Second    []float32      `wire:",omitempty"` // of a sound: the embedded second, at 16 kHz
	Original  *answer.Image  // a larger part of the image, if there is one
	Embedding []float32      `wire:",omitempty"` // [nodes, channels]; absent if the request had it
	Answer    *answer.Answer // with the option answer: the classification of the example; absent for a background example
}

// RemoveExample removes an example.
type RemoveExample struct {
	ExampleID string
}

// Begin starts a draft: new classes and examples with another method. Requests marked draft
// fill it; other requests use the current content. A previous draft is dropped.
type Begin struct {
	Method method.Method `ts:"MethodOption"` // absent fields have their defaults
	_      struct{}      `wire:"workers" ts:"number"`
	_      struct{}      `wire:"weights,omitempty" ts:"ArrayBuffer"` // for further workers, if the draft's embedder cuts crops
}

// Begun describes the draft.
type Begun struct {
	Info   Info
	Method method.Method
}

// Commit replaces the current content by the draft.
type Commit struct{}

// Discard drops the draft.
type Discard struct{}
