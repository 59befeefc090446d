package answer

// Answer is the classification of a picture.
type Answer struct {
	Scores  []Score   // best first; background classes have none
	EmbedMS float64   // milliseconds in the model
	MatchMS float64   // milliseconds of matching
	Verdict *Verdict  `wire:"unknown"`          // if the method reports unknown pictures or there are background examples
	Seen    *Image    `wire:"pixels,omitempty"` // the model's input; nil for an embedding without a picture
	Second  []float32 `wire:",omitempty"`       // of a sound: the embedded second, at 16 kHz
}

// Score is the match of a picture and a class.
type Score struct {
	ID    string  // the class
	Label string  // its name
	Score float64 // probability, 0 to 1, among the classes that have examples
	Logit float64 // the classifier's score, including the temperature: the input of the softmax
	Bound bool    `wire:",omitempty"` // with the option skip: the logit is an upper bound, because the class cannot win
}

// Verdict says whether a picture belongs to any class. The threshold is estimated from
// the examples: each is left out of its class for a known score, and with its whole class
// for an unknown score.
type Verdict struct {
	Unknown   bool    // the score is below the threshold, or the picture resembles background examples
	Nothing   string  `wire:",omitempty"` // the background class that the picture resembles
	Score     float64 // the familiarity of the picture
	Threshold float64 // the required familiarity, at the method's strictness
	Balanced  float64 // the threshold that rejects known pictures as often as it accepts unknown ones
	Estimated bool    // no class has two examples yet: the threshold was measured on other data
}

// Image holds RGB pixels, row by row.
type Image struct {
	Width, Height int
	Pix           []byte `wire:"data"` // [Height, Width, 3]
}

// Unknown reports whether the picture belongs to none of the classes.
func (a *Answer) Unknown() bool { return a.Verdict != nil && a.Verdict.Unknown }

// Label is the label of the best class, or "" for an unknown picture.
func (a *Answer) Label() string {
	if a.Unknown() {
		return ""
	}
	return a.Scores[0].Label
}
