package kernel

import "github.com/deepemd/deepemd/core/answer"

// Review says what the examples tell about themselves, as deepemd.js found it.
type Review struct {
	Examples []Reviewed
	answer.Familiarity
	Estimated bool     // there was nothing to leave out
	Accepted  float64  // shares of strangers let in and of others turned away by
	Rejected  float64  // the balanced threshold, as measured elsewhere
	Hurting   []string // examples that are mixed up and harm the others, the most harmful first
}

// Reviewed says what a review found about one example.
type Reviewed struct {
	ID, ClassID string
	Problem     string // "dark", "bright", "blurred" or ""
	Twin        string // an earlier example that is all but the same, or ""
	Taken       string // the class it is taken for when it is left out, or ""
	Margin      float64
}
