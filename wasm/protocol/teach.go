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
	Nothing bool `wire:",omitempty"` // it only says what belongs to no class
	Draft   bool `wire:",omitempty"` // to the draft: see begin
}

// RenameClass changes a class's label.
//
//deepemd:request
type RenameClass struct {
	ClassID string
	Label   string
}

// RemoveClass forgets a class and its examples.
//
//deepemd:request
type RemoveClass struct {
	ClassID string
}

// EnableClass has a class considered or passed over.
//
//deepemd:request
type EnableClass struct {
	ClassID string
	Enabled bool
	Draft   bool `wire:",omitempty"` // in the draft
}

// AddExample teaches a class one picture.
//
//deepemd:request
type AddExample struct {
	ClassID   string
	ExampleID string
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"` // absent only where there is no network
	Features  []float32       `wire:",omitempty"`              // of the crops of the last inputs: the picture is that one then
	Embedding []float32       `wire:",omitempty"`              // of the picture, where it is known
	Answer    bool            `wire:",omitempty"`              // reply with an answer for the example, too
	Draft     bool            `wire:",omitempty"`              // to the draft
}

// AddExampleReply is what the engine saw and made of the picture.
type AddExampleReply struct {
	Size         int       // side in pixels; 0 without a picture
	Pixels       []byte    // [size, size, 3], RGB
	Second       []float32 `wire:",omitempty"` // of a sound: what was heard, at 16 kHz
	OriginalSize int       `wire:",omitempty"`
	Original     []byte    `wire:",omitempty"` // more of the picture than was embedded, where there was more
	Embedding    []float32 `wire:",omitempty"` // [nodes, channels]: unless the request had it
	Scores       []Score   `wire:",omitempty"` // of the example as a picture, with answer; an example of nothing has none
	MatchMS      float64   `wire:",omitempty"`
}

// RemoveExample forgets an example.
//
//deepemd:request
type RemoveExample struct {
	ExampleID string
}

// Begin begins a draft: what is to take the place of all that was taught, by a
// method of its own. Requests marked draft fill it, while the others go on with
// what there is. A draft that was begun before is dropped.
//
//deepemd:request
type Begin struct {
	Method method.Method `ts:"MethodOption"` // what it leaves out is the default's
	_      struct{}      `wire:"workers" ts:"number"`
	_      struct{}      `wire:"weights,omitempty" ts:"ArrayBuffer"` // for further workers, where the draft's pictures have crops
}

// BeginReply says how the draft recognises.
type BeginReply struct {
	Info   Info
	Method method.Method
}

// Commit puts the draft in the place of what was taught.
//
//deepemd:request
type Commit struct{}

// Discard drops the draft.
//
//deepemd:request
type Discard struct{}
