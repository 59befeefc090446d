package protocol

import "github.com/deepemd/deepemd/core/learner"

// Classify scores a picture, or its embedding, among the classes that have examples.
//
//deepemd:request
type Classify struct {
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"`
	Features  []float32       `wire:",omitempty"` // as in addExample
	Embedding []float32       `wire:",omitempty"` // [nodes, channels]: no network looks at the picture then, which may be absent
	Pixels    bool            `wire:",omitempty"` // reply with what the network saw
	Live      bool            `wire:",omitempty"` // the picture is of a stream: its answer may lag behind the examples
	Unknown   bool            `wire:",omitempty"` // say whether it is any of the classes, also where the method names no strangers
	Explain   bool            `wire:",omitempty"` // reply with an explanation, too
	ClassID   string          `wire:",omitempty"` // of this class; default the best
}

// ClassifyReply is the answer.
type ClassifyReply struct {
	Scores      []Score          // best first; classes of nothing have none
	EmbedMS     float64          // milliseconds from picture to local embeddings
	MatchMS     float64          // milliseconds of matching
	Unknown     *Unknown         // where the method names strangers, the page taught examples of nothing, or the request asked
	Size        int              `wire:",omitempty"` // with pixels: their side
	Pixels      []byte           `wire:",omitempty"` // [size, size, 3], RGB
	Second      []float32        `wire:",omitempty"` // with pixels, of a sound: what was heard, at 16 kHz
	Explanation *WireExplanation // where the request asked
}

// Embed computes the local embeddings of a picture, which is neither taught nor
// classified.
//
//deepemd:request
type Embed struct {
	Picture   learner.Picture `wire:",omitempty" ts:"Picture"`
	Features  []float32       `wire:",omitempty"` // as in addExample
	Embedding []float32       `wire:",omitempty"` // as in classify
}

// EmbedReply is the local embeddings.
type EmbedReply struct {
	Nodes    int
	Channels int
	Data     []float32 // [nodes, channels]
	Regions  []float32 // [nodes, 4]: x0, y0, x1, y1 of the part that a node comes from, in fractions of the square that was embedded
	Summary  []float32 `wire:",omitempty"` // [channels], what the network says of the picture as a whole, if it does
}

// Score is how well a picture matches a class.
type Score struct {
	ID    string  // the class
	Label string  // its name
	Score float64 // probability, 0 to 1, among the classes that have examples
	Logit float64 // the classifier's score, temperature included: what the softmax takes
	Bound bool    `wire:",omitempty"` // with the option skip: logit is only an upper bound, of a class that cannot win
}

// Unknown says whether a picture is of none of the classes. The examples say
// themselves what known and unknown pictures look like: each is left out of its class
// in turn, and then with its whole class.
type Unknown struct {
	Unknown   bool    // the verdict: score is below threshold, or examples of nothing claim the picture
	Nothing   string  `wire:",omitempty"` // the class of nothing that claims the picture
	Score     float64 // how well known the picture looks
	Threshold float64 // how well known it must look, at the method's strictness
	Balanced  float64 // the threshold at which known pictures are turned away as often as unknown ones are let in
	Estimated bool    // no class has two examples yet: the threshold is one that was measured on other things
}

// Explain says why the picture that was classified last is so like a class, or so
// unlike.
//
//deepemd:request
type Explain struct {
	ClassID string `wire:",omitempty"` // default the best
}

// ExplainReply is why.
type ExplainReply struct {
	Explanation WireExplanation
}

// WireExplanation is an explanation on its way: everything that is many in one list.
type WireExplanation struct {
	ClassID     string
	Label       string
	ExampleID   string
	Score       float64
	Total       float64
	Temperature float64
	Query       []float32 // of each node: x0, y0, x1, y1, weight
	Support     []float32 // likewise, of the example
	Similarity  []float32 // of all pairs, row by row
	Flow        []float32 // likewise
	Head        []Shares  `wire:",omitempty"` // of each class that answers; absent where no head took part
}

// Shares says what a class's logit is the sum of.
type Shares struct {
	ClassID string  // the class
	Label   string  // its name
	Match   float64 // what the match with all of its examples gave
	Head    float64 // what the head added, which learned from the examples
}

// Review asks what the examples of enabled classes say about themselves.
//
//deepemd:request
type Review struct{}

// ReviewReply is what they say.
type ReviewReply struct {
	Review Reviewed
}

// Reviewed is what the examples of enabled classes say about themselves.
type Reviewed struct {
	Examples  []ReviewedExample // in order, those of nothing last
	Classes   []ReviewedClass   // in order
	Known     []float64         // scores, see Unknown, of examples left out of their class
	Unknown   []float64         // and of examples whose whole class was left out
	Balanced  float64           // the threshold at a strictness of 0.5; those at 0 and 1 lie 2.5 below and above
	Estimated bool              // no class has two examples yet
	Accepted  float64           // share of unknown pictures that the balanced threshold lets in, as measured elsewhere
	Rejected  float64           // share of known pictures that it turns away, likewise
	Hurting   []Hurt            // examples that are taken for another class, and without which the others would fit better, the most harmful first
}

// Hurt is an example that harms the others.
type Hurt struct {
	ID   string  // the example
	Gain float64 // the rise in the others' mean margin without it
}

// ReviewedExample is what is known of an example.
type ReviewedExample struct {
	ID      string  // the example
	ClassID string  // its class
	Problem string  `wire:",omitempty" ts:"\"dark\" | \"bright\" | \"blurred\""` // what is wrong with the picture
	Twin    string  `wire:",omitempty"`                                          // an earlier example of the class that is all but the same
	Taken   string  `wire:",omitempty"`                                          // the class that it is taken for when it is left out; absent where there is no other
	Margin  float64 // by how much its own class is ahead then
}

// ReviewedClass is how alike pictures of a class are to it.
type ReviewedClass struct {
	ID    string  // the class
	Level float64 // in logits at the usual temperature
}
