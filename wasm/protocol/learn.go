package protocol

// Study goes on with what the classifier has left to learn of its examples, for some
// milliseconds. Answers come in between, by what it learned before.
//
//deepemd:request
type Study struct {
	Draft bool `wire:",omitempty"` // what the draft's classifier has
}

// StudyReply says whether all is learned.
type StudyReply struct {
	Done bool
}

// Train begins to learn the classes.
//
//deepemd:request
type Train struct {
	Passes int  // over all examples
	Check  bool // find out what is gained
}

// TrainReply says how far learning is.
type TrainReply struct {
	Trained Trained
}

// TrainSlice goes on learning for a while.
//
//deepemd:request
type TrainSlice struct {
	MS float64 // milliseconds
}

// TrainSliceReply says how far learning is.
type TrainSliceReply struct {
	Trained Trained
}

// StopTraining drops learning that is under way.
//
//deepemd:request
type StopTraining struct{}

// Trained says how far learning is, and what its check has found.
type Trained struct {
	Done     int // passes, those of the check among them
	Total    int
	Finished bool
	Of       int // examples that were held out
	Before   int // of them, recognised by what answered before
	After    int // and by what was learned
}
