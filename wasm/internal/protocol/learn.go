package protocol

// Study continues the classifier's learning for some milliseconds. Requests are answered in
// between with the result so far.
//
//deepemd:request
type Study struct {
	Draft bool `wire:",omitempty"` // of the draft's classifier
}

// StudyReply reports whether learning is complete.
type StudyReply struct {
	Done bool
}

// Train starts training.
//
//deepemd:request
type Train struct {
	Passes int  // passes over all examples
	Check  bool // also measure the gain
}

// TrainReply has the progress of training.
type TrainReply struct {
	Trained Trained
}

// TrainSlice continues training for some milliseconds.
//
//deepemd:request
type TrainSlice struct {
	MS float64 // milliseconds
}

// TrainSliceReply has the progress of training.
type TrainSliceReply struct {
	Trained Trained
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
	Of       int // held-out examples
	Before   int // held-out examples that the classifier recognized before training
	After    int // held-out examples recognized after training
}

// Growth continues measuring accuracy by the number of examples, for some milliseconds. It
// starts again when examples change.
//
//deepemd:request
type Growth struct {
	MS float64 // milliseconds
}

// GrowthReply has the points found so far.
type GrowthReply struct {
	Done    int // draws of examples
	Total   int
	Points  []GrowthPoint // by the number of examples
	Classes []GrowthClass // classes with examples, in order
}

// GrowthPoint is the accuracy with a given number of other examples per class.
type GrowthPoint struct {
	Examples int     // examples per class, fewer if a class has fewer; in the last point all others, and this is the maximum of a class
	Right    float64 // share of the examples that are classified correctly, whether reported as unknown or not
	Spread   float64 // standard deviation of the share between draws; 0 if each example is left out once, as in the last point if the classifier supports it
}

// GrowthClass is the accuracy of a class at each point.
type GrowthClass struct {
	ID    string // the class
	Right []int  // correct answers at each point
	Asked []int  // all answers at each point
}
