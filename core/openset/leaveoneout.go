package openset

import (
	"math"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Pause is called after each scored example, every few milliseconds. If it returns an error,
// the work ends and returns the error. Pause may be nil.
type Pause func() error

func (p Pause) call() error {
	if p == nil {
		return nil
	}
	return p()
}

// LeftOut holds the scores of left-out examples: each against the examples of its class outside its
// part (see [fewshot.Separate]) and against the other classes.
type LeftOut struct {
	// Class is the index of each example's class; examples are in the order of
	// their classes.
	Class []int
	// Scores, [examples][classes], are logits, NaN for the only example of a class
	// against that class.
	Scores [][]float64
	// Runs are the runs of each class.
	Runs [][]fewshot.Run
}

// LeaveOneOut fits a prototype to the classes, and scores every example of every class by the other
// examples.
//
// It returns the errors of the prototype and of pause.
func LeaveOneOut(p *fewshot.Prototype, classes []fewshot.Class, pause Pause) (*LeftOut, error) {
	l := &LeftOut{}
	if err := p.Fit(classes); err != nil {
		return nil, err
	}
	directions := make([][][]float32, len(classes))
	for c, class := range classes {
		for _, example := range class.Support {
			scores, err := p.Scores(nil, example)
			if err == nil {
				err = pause.call()
			}
			if err != nil {
				return nil, err
			}
			scores[c] = math.NaN()
			l.Class, l.Scores = append(l.Class, c), append(l.Scores, scores)
			directions[c] = append(directions[c], fewshot.Direction(example))
		}
	}
	l.Runs = fewshot.Runs(directions)
	at := 0
	for c, class := range classes {
		for _, part := range fewshot.Separate(l.Runs[c]) {
			examples := class.Support[part.From:part.To]
			if len(class.Support) > 1 {
				if err := p.Omit(c, examples); err != nil {
					return nil, err
				}
				for i, example := range examples {
					own, err := p.Rest(example)
					if err == nil {
						err = pause.call()
					}
					if err != nil {
						return nil, err
					}
					l.Scores[at+i][c] = own
				}
			}
			at += len(examples)
		}
	}
	return l, nil
}

// Margin returns the score of example i against its own class minus its best score against
// another class. A negative margin means that the example is misclassified. ok is false if
// there is no other class or no other example in its class.
func (l *LeftOut) Margin(i int) (margin float64, ok bool) {
	own := l.Scores[i][l.Class[i]]
	rival := math.Inf(-1)
	for c, s := range l.Scores[i] {
		if c != l.Class[i] {
			rival = max(rival, s)
		}
	}
	if math.IsNaN(own) || math.IsInf(rival, -1) {
		return 0, false
	}
	return own - rival, true
}

// Predicted returns the predicted class of the left-out example i, its own class in a tie. It
// returns −1 if the class has no other example.
func (l *LeftOut) Predicted(i int) int {
	best := l.Class[i]
	if math.IsNaN(l.Scores[i][best]) {
		return -1
	}
	for c, s := range l.Scores[i] {
		if s > l.Scores[i][best] {
			best = c
		}
	}
	return best
}
