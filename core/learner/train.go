package learner

import (
	"time"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// The structured fully connected layer is learned in slices: a request begins it,
// further ones each do some milliseconds of the work, so that whatever else is
// asked meanwhile is answered between two of them, by plain prototypes. What was
// learned answers from the end on, until an example comes or goes.

// Train says how to learn.
type Train struct {
	Passes int  // over all examples
	Check  bool // find out what is gained, by learning without some of the examples first: up to five times as much again
}

// Trained says how far learning is.
type Trained struct {
	Done, Total int // passes, those of the check among them
	Finished    bool
	Gain        fewshot.Gain // of the check; complete when finished
}

// training is the learning under way, and its result.
type training struct {
	learning *fewshot.Learning // nil for none
	learned  *fewshot.SFC      // nil before the end and after a change
}

// folds is into how many parts a check divides the examples: five leave four fifths
// to learn from.
const folds = 5

// maxPasses bounds a mistake.
const maxPasses = 10_000

// reset forgets both.
func (t *training) reset() { *t = training{} }

// Train begins to learn the classes, from their means; what was learned before, and
// learning that is under way, is dropped.
//
// Errors: "empty" unless two classes have examples; "bad-argument" for a number of
// passes that makes no sense, and with classifiers other than "prototype", which
// take examples as they are.
func (l *Learner) Train(how Train) (*Trained, error) {
	prototypes, ok := l.classifier.(*fewshot.Prototype)
	if !ok {
		return nil, fail(CodeBadArgument, `only the classifier "prototype" learns, others such as "nearest" take examples as they are: choose it first`)
	}
	if how.Passes < 1 || how.Passes > maxPasses {
		return nil, fail(CodeBadArgument, "passes is %d: want 1 to %d; the paper takes 100", how.Passes, maxPasses)
	}
	l.training.reset()
	if err := l.fit(); err != nil {
		return nil, err
	}
	if len(l.fitted) < 2 {
		return nil, fail(CodeEmpty, "only one class has examples: learning is about telling classes apart; add examples of a second one")
	}
	learning := &fewshot.Learning{
		Matcher: match.Matcher{Weighting: prototypes.Matcher.Weighting, Temperature: prototypes.Matcher.Temperature},
		Descent: fewshot.Descent{Passes: how.Passes},
	}
	if how.Check {
		learning.Folds = folds
	}
	if err := learning.Start(l.support()); err != nil {
		return nil, err
	}
	l.training.learning = learning
	return l.trained(false), nil
}

// TrainSlice goes on learning for about the given time and says how far it is.
//
// Errors: "changed" where examples came or went since Train, so that there is
// nothing to go on with.
func (l *Learner) TrainSlice(budget time.Duration) (*Trained, error) {
	learning := l.training.learning
	if learning == nil {
		return nil, fail(CodeChanged, "examples came or went while the classes were learned: train again")
	}
	finished := false
	for begin := time.Now(); !finished && time.Since(begin) < budget; {
		var err error
		if finished, err = learning.Step(); err != nil {
			l.training.reset()
			return nil, err
		}
	}
	trained := l.trained(finished)
	if finished {
		l.training = training{learned: learning.Learned()}
	}
	return trained, nil
}

// StopTraining drops learning that is under way: answers stay as they were.
func (l *Learner) StopTraining() { l.training.learning = nil }

func (l *Learner) trained(finished bool) *Trained {
	done, total := l.training.learning.Passes()
	return &Trained{Done: done, Total: total, Finished: finished, Gain: l.training.learning.Gain()}
}
