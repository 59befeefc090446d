package protocol

import "github.com/deepemd/deepemd/core/answer"

// Study continues the classifier's learning for some milliseconds. Requests are answered in
// between with the result so far.
//
//deepemd:request Studied
type Study struct {
	Draft bool `wire:",omitempty"` // of the draft's classifier
}

// Studied reports whether learning is complete.
type Studied struct {
	Done bool
}

// Train starts training.
//
//deepemd:request Trained
type Train struct {
	Passes int  // passes over all examples
	Check  bool // also measure the gain
}

// TrainSlice continues training for some milliseconds.
//
//deepemd:request Trained
type TrainSlice struct {
	MS float64 // milliseconds
}

// StopTraining discards the current training.
//
//deepemd:request
type StopTraining struct{}

// Trained is the progress of training and the result of its check.
type Trained struct {
	Done     int // passes, including the passes of the check
	Total    int
	Finished bool
	Gain     answer.Gain // of the check; nothing was held out without it
}

// Growth continues measuring accuracy by the number of examples, for some milliseconds. It
// starts again when examples change.
//
//deepemd:request answer.Curve
type Growth struct {
	MS float64 // milliseconds
}
