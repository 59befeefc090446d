// Package answer declares the data types of answers: scores and verdict of a picture, the
// explanation of a match, the review of examples, the learning curve and the gain of training. The
// engine, the studio, the command and Go programs share them. wasm/internal/protocol has their
// TypeScript declarations (wasm/npm/protocol.d.ts) with names in lower camel case or from the tag
// wire. The package only computes geometry and counts, and imports no other package of this module.
package answer

// Answer is the classification of an image.
type Answer struct {
	Scores      []Score      // best first; background classes have none
	EmbedMS     float64      // milliseconds in the model
	MatchMS     float64      // milliseconds of matching
	Verdict     *Verdict     `wire:"unknown"`          // if the method reports unknown images or there are background examples
	Seen        *Image       `wire:"pixels,omitempty"` // with the option pixels: the model's input, RGB; absent for an embedding without an image
	Second      []float32    `wire:",omitempty"`       // with pixels, of a sound: the embedded second, at 16 kHz
	Explanation *Explanation // with the option explain
}

// Score is the match of an image and a class.
type Score struct {
	ID    string  // the class
	Label string  // its name
	Score float64 // probability, 0 to 1: the scores sum to the verdict's Known, or to 1 without a verdict
	Logit float64 // the classifier's score, including the temperature: the input of the softmax
	Bound bool    `wire:",omitempty"` // with the option skip: the logit is an upper bound, because the class cannot win
}

// Verdict is the open-set decision: an image belongs to a class or is unknown. The threshold is estimated from
// the examples: each is left out of its class for a known score, and with its whole class
// for an unknown score.
type Verdict struct {
	Unknown   bool    // the score is below the threshold, the image resembles background examples, or it has one color and no example does
	Nothing   string  `wire:",omitempty"` // the background class that the image resembles
	Score     float64 // the familiarity of the image
	Threshold float64 // the required familiarity, at the method's strictness
	Known     float64 // the probability that the image belongs to a class: at most one half if it is unknown, 1 if only background examples could reject it
	Together  bool    `wire:",omitempty"` // only together are the classes more probable than unknown: the best one is less
	Balanced  float64 // the threshold at a strictness of 0.5
	Estimated bool    // no class has two examples yet: the threshold was measured on other data
}

// Image holds RGB pixels, row by row.
type Image struct {
	Width  int    // pixels per row
	Height int    // rows
	Pix    []byte `wire:"data"` // [Height, Width, 3]
}

// Unknown reports whether the image belongs to none of the classes.
func (a *Answer) Unknown() bool { return a.Verdict != nil && a.Verdict.Unknown }

// Label returns the label of the best class, or "" for an unknown image and for an answer without scores.
func (a *Answer) Label() string {
	if a.Unknown() || len(a.Scores) == 0 {
		return ""
	}
	return a.Scores[0].Label
}
