package learner

import (
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// Training learns the structured fully connected layer in slices: Train begins, and
// each call of TrainSlice works for some milliseconds. In between, what answered
// before goes on answering. At the end the learned layer answers, until an example
// comes or goes.

// Train says how to learn.
type Train struct {
	Passes int  // over all examples
	Check  bool // measure the gain, by learning without some of the examples first: up to five times the work
}

// Trained is the progress of training.
type Trained struct {
	Done, Total int // passes, those of the check among them
	Finished    bool
	Gain        answer.Gain // of the check; complete when finished
}

// training is the learning under way, and its result.
type training struct {
	learning *fewshot.Learning // nil for none
	learned  *fewshot.SFC      // nil before the end and after a change
	former   *fewshot.SFC      // that learned took the place of
}

// folds is how many parts a check divides the examples into: it learns from four
// fifths.
const folds = 5

// maxPasses bounds a mistake.
const maxPasses = 10_000

// reset forgets both.
func (t *training) reset() { *t = training{} }

// Train begins to learn the classes, from their means. It drops earlier training
// that is not finished; the result of one that is answers until this one has
// finished.
//
// Errors: "empty" unless two classes have examples; "bad-argument" for a number of
// passes out of range, and with classifiers other than "prototype" and "mixture", which do
// not begin with means. The check compares with the classifier that answers.
func (l *Learner) Train(how Train) (*Trained, error) {
	before, err := l.means()
	if err != nil {
		return nil, err
	}
	if how.Passes < 1 || how.Passes > maxPasses {
		return nil, fail(CodeBadArgument, "passes is %d: want 1 to %d; the paper takes 100", how.Passes, maxPasses)
	}
	l.training.learning = nil
	if err := l.fit(); err != nil {
		return nil, err
	}
	if len(l.fitted) < 2 {
		return nil, fail(CodeEmpty, "only one class has examples: learning is about telling classes apart; add examples of a second one")
	}
	learning := &fewshot.Learning{
		Matcher: match.Matcher{Weighting: l.explainer.matcher.Weighting, Temperature: l.method.Temperature},
		Descent: fewshot.Descent{Passes: how.Passes},
		Before:  before,
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

// means makes the classifier that a check compares with, one like that which answers.
func (l *Learner) means() (fewshot.Classifier, error) {
	if l.classifier.Traits().Means {
		return l.opt.Kit.Classifier(l.method, Tuning{})
	}
	return nil, fail(CodeBadArgument, `only the classifiers "mixture" and "prototype" learn further, others such as "nearest" take examples as they are: choose one of them first`)
}

// TrainSlice learns for about the given time and returns the progress.
//
// Errors: "changed" if examples came or went since Train, which ends the training.
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
		l.training = training{learned: learning.Learned(), former: l.training.learned}
	}
	return trained, nil
}

// StopTraining takes the latest training back, finished or not: answers are those
// from before Train.
func (l *Learner) StopTraining() {
	t := &l.training
	if t.learning == nil {
		t.learned, t.former = t.former, nil
	}
	t.learning = nil
}

func (l *Learner) trained(finished bool) *Trained {
	done, total := l.training.learning.Passes()
	return &Trained{Done: done, Total: total, Finished: finished, Gain: l.training.learning.Gain()}
}
