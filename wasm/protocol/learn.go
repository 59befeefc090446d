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

// Growth goes on finding out how recognition grew with the examples, for a while. It
// begins again when examples come or go.
//
//deepemd:request
type Growth struct {
	MS float64 // milliseconds
}

// GrowthReply says how far that is.
type GrowthReply struct {
	Done    int // draws of examples
	Total   int
	Points  []GrowthPoint // by the number of examples, of those that are found
	Classes []GrowthClass // in order, those with examples
}

// GrowthPoint is how many examples are recognised by so many others of each class.
type GrowthPoint struct {
	Examples int     // of each class, fewer where one has no more to spare; in the last point all but the one that is recognised, and this is the most that a class has
	Right    float64 // share of the examples that are recognised, unknown or not
	Spread   float64 // standard deviation of the share between draws; 0 where each example is left out in turn, as in the last point of classifiers that can
}

// GrowthClass is how many examples of a class are recognised.
type GrowthClass struct {
	ID    string // the class
	Right []int  // of each point, how many
	Asked []int  // and of how many
}
