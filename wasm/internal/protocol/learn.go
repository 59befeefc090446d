package protocol

// A job is a request whose work continues while other requests are answered. Its progress and reply
// come later.

// Train trains the structured fully connected layer. At the end answers come from it, unless the
// check finds no gain. Its progress is Trained.
type Train struct {
	Passes int  // passes over all examples
	Check  bool // also measure the gain
}

// Trained is the progress of training.
type Trained struct {
	Done  int // passes, including the passes of the check
	Total int
}

// Learn completes the learning of the classifier. It is a job without progress.
type Learn struct{ Drafted }

// Growth measures the learning curve. It starts again when examples change. Its progress is
// the curve so far.
type Growth struct{}

// Stop ends a job. If it is a training that has ended, the answers are again as before it.
type Stop struct {
	Job int // the id of its request
}
