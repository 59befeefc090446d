package protocol

import "github.com/deepemd/deepemd/core/learner"

// Classify classifies an image, or its embedding, among the classes that have examples.
//
//deepemd:request
type Classify struct {
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"`
	Features  []float32       `wire:",omitempty"` // as in addExample
	Embedding []float32       `wire:",omitempty"` // [nodes, channels]: the model is skipped, and the image may be absent
	Pixels    bool            `wire:",omitempty"` // reply with the model's input
	Live      bool            `wire:",omitempty"` // the image is part of a stream: the answer may ignore the latest examples
	Unknown   bool            `wire:",omitempty"` // report whether it belongs to any class, even if the method does not
	Explain   bool            `wire:",omitempty"` // also reply with an explanation
	ClassID   string          `wire:",omitempty"` // the class to explain; default the best
}

// ClassifyReply is the classification of an image.
type ClassifyReply struct {
	Scores      []Score          // best first, without background classes
	EmbedMS     float64          // milliseconds in the model
	MatchMS     float64          // milliseconds of matching
	Unknown     *Unknown         // if the method reports unknown images, there are background examples, or the request has the option
	Size        int              `wire:",omitempty"` // with pixels: the side
	Pixels      []byte           `wire:",omitempty"` // [size, size, 3], RGB
	Second      []float32        `wire:",omitempty"` // with pixels, of a sound: the embedded second, at 16 kHz
	Explanation *WireExplanation // with the option explain
}

// Embed computes the local embeddings of an image, without teaching or classifying it.
//
//deepemd:request
type Embed struct {
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"`
	Features  []float32       `wire:",omitempty"` // as in addExample
	Embedding []float32       `wire:",omitempty"` // as in classify
}

// EmbedReply has the local embeddings.
type EmbedReply struct {
	Nodes    int
	Channels int
	Data     []float32 // [nodes, channels]
	Regions  []float32 // [nodes, 4]: x0, y0, x1, y1 of each node's region, in fractions of the embedded square
	Summary  []float32 `wire:",omitempty"` // [channels]: the model's own global descriptor, if it has one
}

// Score is the match of an image and a class.
type Score struct {
	ID    string  // the class
	Label string  // its name
	Score float64 // probability, 0 to 1, among the classes that have examples
	Logit float64 // the classifier's score, including the temperature: the input of the softmax
	Bound bool    `wire:",omitempty"` // with the option skip: the logit is an upper bound, because the class cannot win
}

// Unknown reports whether an image belongs to any class. The threshold is estimated from
// the examples: each is left out of its class for a known score, and with its whole class
// for an unknown score.
type Unknown struct {
	Unknown   bool    // the verdict: the score is below the threshold, or the image resembles background examples
	Nothing   string  `wire:",omitempty"` // the background class that the image resembles
	Score     float64 // the familiarity of the image
	Threshold float64 // the required familiarity, at the method's strictness
	Balanced  float64 // the threshold that rejects known images as often as it accepts unknown ones
	Estimated bool    // no class has two examples yet: the threshold was measured on other data
}

// Explain explains the similarity of the image that was classified last and a class.
//
//deepemd:request
type Explain struct {
	ClassID string `wire:",omitempty"` // default the best
}

// ExplainReply has the explanation.
type ExplainReply struct {
	Explanation WireExplanation
}

// WireExplanation is an explanation with its nodes and links in flat arrays.
type WireExplanation struct {
	ClassID     string
	Label       string
	ExampleID   string
	Score       float64
	Total       float64
	Temperature float64
	Query       []float32 // [nodes, 5]: x0, y0, x1, y1 and weight of each node of the image
	Support     []float32 // the same for the example
	Similarity  []float32 // [query, support], row by row
	Flow        []float32 // [query, support], row by row
	Head        []Shares  `wire:",omitempty"` // for each class with a score; absent without a head
}

// Shares has the two terms of a class's logit.
type Shares struct {
	ClassID string  // the class
	Label   string  // its name
	Match   float64 // the match with all of its examples
	Head    float64 // the head, which is learned from the examples
}

// Review reviews the examples of enabled classes.
//
//deepemd:request
type Review struct{}

// ReviewReply has the review.
type ReviewReply struct {
	Review Reviewed
}

// Reviewed is the review of the examples of enabled classes.
type Reviewed struct {
	Examples  []ReviewedExample // in order, background examples last
	Classes   []ReviewedClass   // in order
	Known     []float64         // familiarity of examples left out of their class: see Unknown
	Unknown   []float64         // familiarity of examples left out with their whole class
	Balanced  float64           // the threshold at a strictness of 0.5; it is 2.5 lower at 0 and 2.5 higher at 1
	Estimated bool              // no class has two examples yet
	Accepted  float64           // share of unknown images that the balanced threshold accepts, measured on other data
	Rejected  float64           // share of known images that it rejects, measured on other data
	Hurting   []Hurt            // misclassified examples whose removal would improve the others' scores, the most harmful first
}

// Hurt is an example that harms the others.
type Hurt struct {
	ID   string  // the example
	Gain float64 // the rise in the others' mean margin without it
}

// ReviewedExample is the review of an example.
type ReviewedExample struct {
	ID      string  // the example
	ClassID string  // its class
	Problem string  `wire:",omitempty" ts:"\"dark\" | \"bright\" | \"blurred\""` // a problem of the image
	Twin    string  `wire:",omitempty"`                                          // an earlier, nearly identical example of the class
	Taken   string  `wire:",omitempty"`                                          // the best class when it is left out; absent if there is no other class
	Margin  float64 // the lead of its class when it is left out
}

// ReviewedClass is the typical similarity of images to their class.
type ReviewedClass struct {
	ID    string  // the class
	Level float64 // in logits at the usual temperature
}
