package learner

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
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
// range, for a classifier that does not represent classes by means, and for node weights that
// merge nodes; the errors of ctx and progress, which end the work.
func (m *Model) Refine(ctx Context, how Training, progress func(Trained) error) (*Model, answer.Gain, error) {
	r, err := m.refinement(how)
	if err != nil {
		return nil, answer.Gain{}, err
	}
	j := &job{ctx: ctx}
	if progress != nil {
		j.progress = func(int, int) error { return progress(r.now) }
	}
	r.pause = j.pause
	classes := m.support()
	for fold := range r.folds {
		if err := r.check(classes, fold); err != nil {
			return nil, answer.Gain{}, err
		}
	}
	learned, err := r.train(classes, r.folds)
	if err != nil {
		return nil, answer.Gain{}, err
	}
	m.net.Lock()
	defer m.net.Unlock()
	next := *m
	next.number, next.refined = revisions.Add(1), learned
	return &next, r.now.Gain, nil
}

// refinement is the state of Refine.
type refinement struct {
	matcher       match.Matcher
	before        fewshot.Classifier // the model's method, for the check
	passes, folds int
	parts         [][]fewshot.Run // of each class, which the folds do not divide
	now           Trained
	pause         func() error
}

// refinement checks the arguments of Refine.
func (m *Model) refinement(how Training) (*refinement, error) {
	m.net.Lock()
	means := m.classifier.Traits().Means
	m.net.Unlock()
	if !means {
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
	matcher, err := m.opt.Kit.Matcher(m.opt.Method)
	if err != nil {
		return nil, err
	}
	if _, merges := matcher.Weighting.(match.Grouping); merges {
		return nil, fail(CodeBadArgument, "node weights %s merge nodes, which cannot be trained: choose other node weights first", m.opt.Method.Weighting)
	}
	r := &refinement{matcher: matcher, passes: how.Passes}
	if how.Check {
		r.parts = partsOf(m.support())
		for _, parts := range r.parts {
			r.folds = max(r.folds, min(folds, len(parts)))
		}
		if r.folds == 1 {
			r.folds = 0 // no example can be held out
		}
	}
	r.now.Total = (r.folds + 1) * r.passes
	r.before, err = m.opt.Kit.Classifier(m.opt.Method, Tuning{})
	return r, err
}

// train trains a layer after the given number of folds.
func (r *refinement) train(classes []fewshot.Class, fold int) (*fewshot.SFC, error) {
	sfc := &fewshot.SFC{Matcher: r.matcher, Descent: fewshot.Descent{Passes: r.passes}, Progress: func(done, _ int) error {
		r.now.Done = fold*r.passes + done
		return r.pause()
	}}
	return sfc, sfc.Fit(classes)
}

// check adds the result of a fold to the gain. A fold trains without some parts of the classes (see
// [fewshot.Separate]) and classifies them; the only example of a class is never held out.
func (r *refinement) check(classes []fewshot.Class, fold int) error {
	rest, held := make([]fewshot.Class, len(classes)), make([][]*embed.Set, len(classes))
	for i, class := range classes {
		rest[i].Name = class.Name
		for p, part := range r.parts[i] {
			to := &rest[i].Support
			if len(r.parts[i]) > 1 && p%r.folds == fold {
				to = &held[i]
			}
			*to = append(*to, class.Support[part.From:part.To]...)
		}
	}
	trained, err := r.train(rest, fold)
	if err != nil {
		return err
	}
	if err := r.before.Fit(rest); err != nil {
		return err
	}
	if student := r.before.Traits().Student; student != nil {
		if err := student.Learn(r.pause); err != nil {
			return err
		}
	}
	gain := &r.now.Gain
	for class, sets := range held {
		for _, set := range sets {
			gain.Of++
			for _, by := range []struct {
				classifier fewshot.Classifier
				right      *int
			}{{r.before, &gain.Before}, {trained, &gain.After}} {
				scores, err := by.classifier.Scores(nil, set)
				if err != nil {
					return err
				}
				if fewshot.Best(scores) == class {
					*by.right++
				}
			}
			if err := r.pause(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Publish uses the classes of a model returned by Refine in the learner's answers.
//
// # Errors
//
// CodeBadArgument for a model that Refine has not returned; CodeChanged if examples were added or removed
// since the refined model's snapshot.
func (l *Learner) Publish(refined *Model) error {
	return l.edit(func(m *Model) error {
		if refined == nil || refined.refined == nil {
			return fail(CodeBadArgument, "the model was not refined: publish the one that Refine returned")
		}
		if refined.revision != m.revision {
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
