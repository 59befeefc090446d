package learner

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// Training configures Refine.
type Training struct {
	Passes int  // over all examples
	Check  bool // first measure the gain by cross-validation, which takes up to five times the work
}

// Trained is the progress of Refine.
type Trained struct {
	Done, Total int         // passes, including the passes of the check; equal at the end
	Gain        answer.Gain // the result of the check; complete at the end
}

// folds is the number of folds of the cross-validation.
const folds = 5

// maxPasses is the maximum number of passes, to catch mistakes.
const maxPasses = 10_000

// Refine trains the structured fully connected layer, starting from the classes' means, and
// returns a model that uses it. Learner.Publish makes this model the learner's. The check
// compares with the model's classifier. progress, unless nil, is called before the first pass
// and every few milliseconds.
//
// # Errors
//
// CodeEmpty unless two classes have examples; CodeBadArgument for a number of passes out of
// range, and for a classifier that does not represent classes by means; the errors of ctx and
// progress, which end the work.
func (m *Model) Refine(ctx Context, how Training, progress func(Trained) error) (*Model, answer.Gain, error) {
	learning, err := m.refinement(how)
	if err != nil {
		return nil, answer.Gain{}, err
	}
	var now Trained
	j := &job{ctx: ctx, progress: func(int, int) error {
		if progress == nil {
			return nil
		}
		return progress(now)
	}}
	learning.Progress = func(done, total int, gain answer.Gain) error {
		now = Trained{done, total, gain}
		return j.pause()
	}
	learned, gain, err := learning.Learn(m.support())
	if err != nil {
		return nil, answer.Gain{}, err
	}
	m.net.Lock()
	defer m.net.Unlock()
	next := *m
	next.refined = learned
	return &next, gain, nil
}

// refinement checks the arguments of Refine, and configures the training.
func (m *Model) refinement(how Training) (*fewshot.Learning, error) {
	if !m.classifier.Traits().Means {
		return nil, fail(CodeBadArgument, `only the classifiers "mixture" and "prototype" can be trained: choose one of them first`)
	}
	if how.Passes < 1 || how.Passes > maxPasses {
		return nil, fail(CodeBadArgument, "passes is %d: want 1 to %d; the paper uses 100", how.Passes, maxPasses)
	}
	if err := m.begin(); err != nil {
		return nil, err
	}
	if len(m.fitted) < 2 {
		return nil, fail(CodeEmpty, "only one class has examples: add examples of a second one")
	}
	before, err := m.opt.Kit.Classifier(m.opt.Method, Tuning{})
	if err != nil {
		return nil, err
	}
	learning := &fewshot.Learning{
		Matcher: match.Matcher{Weighting: m.explainer.matcher.Weighting, Temperature: m.opt.Method.Temperature},
		Descent: fewshot.Descent{Passes: how.Passes},
		Before:  before,
	}
	if how.Check {
		learning.Folds = folds
	}
	return learning, nil
}

// Publish uses the classes of a model returned by Refine in the learner's answers.
//
// # Errors
//
// CodeChanged if examples were added or removed since the refined model's snapshot.
func (l *Learner) Publish(refined *Model) error {
	return l.edit(func(m *Model) error {
		if refined.refined == nil || refined.revision != m.revision {
			return fail(CodeChanged, "examples were added or removed during the training: train again")
		}
		m.refined, m.former = refined.refined, m.refined
		return nil
	})
}

// Rollback reverts the latest Publish.
func (l *Learner) Rollback() {
	_ = l.edit(func(m *Model) error {
		m.refined, m.former = m.former, nil
		return nil
	}) // the change returns no error
}
