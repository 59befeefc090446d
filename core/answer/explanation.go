package answer

// Explanation says why a picture resembles a class: its match with the example of the
// class that it matches best.
type Explanation struct {
	ClassID   string // the class
	Label     string // its name
	ExampleID string // the example
	Match
	// The terms of the logit of every class, in order: the match with all of its examples, and
	// the head that the classifier "mixture" learns. Absent with other classifiers, after
	// training, and if every class has one example, because then there is no head.
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
