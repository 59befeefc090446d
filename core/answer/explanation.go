package answer

// Explanation says why a picture resembles a class: its match with the example of the
// class that it matches best.
type Explanation struct {
	ClassID, Label string
	ExampleID      string
	Match
	// Head has the terms of the logit of each class that answers, in the order of teaching.
	// It is nil without a head: with classifiers that have none, after training, and where
	// every class has one example.
	Head []Shares `wire:",omitempty"`
}

// Shares has the two terms of a class's logit, both multiplied by the sharpness that makes
// probabilities of logits (see fewshot.Mixture).
type Shares struct {
	ClassID string  // the class
	Label   string  // its name
	Match   float64 // the match with all of its examples
	Head    float64 // the head, which is learned from the examples
}
