package learner

import (
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
)

// Configure changes the classifier, the node weights, the solver, the temperature,
// the balance and the rule for strangers. The embedder stays the learner's own,
// whatever the method says, and so do the examples.
//
// Errors: "bad-argument", after which nothing has changed.
func (l *Learner) Configure(m method.Method, t Tuning) error {
	m = m.Complete()
	m.Embedder = l.opt.Method.Embedder.Complete()
	classifier, err := l.opt.Kit.Classifier(m, t)
	if err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	matcher, err := l.opt.Kit.Matcher(m)
	if err != nil {
		return fail(CodeBadArgument, "%v", err)
	}
	if same := l.method; l.classifier != nil && t == l.opt.Tuning {
		same.Strangers = m.Strangers
		if same.Equal(m) { // keep the fitted classifier and the result of training
			l.method = m
			return nil
		}
	}
	l.method, l.opt.Tuning, l.classifier = m, t, classifier
	l.changed(nil)
	l.explainer = explainer{matcher: matcher}
	l.strangers = strangers{}
	return nil
}

// scale returns the classifier that tells strangers apart: prototypes at the usual
// temperature, which the prior was measured with, matched as the method says.
func (l *Learner) scale() (*fewshot.Prototype, error) {
	m := l.method
	m.Temperature = method.Temperature
	matcher, err := l.opt.Kit.Matcher(m)
	if err != nil {
		return nil, err
	}
	return &fewshot.Prototype{Matcher: matcher, Balance: m.Balance}, nil
}

// EnableClass turns a class with all its examples on or off. New classes are on.
// Errors: "unknown-class".
func (l *Learner) EnableClass(id string, enabled bool) error {
	c, err := l.class(id)
	if err != nil {
		return err
	}
	if c.disabled == enabled {
		c.disabled = !enabled
		l.changed(c)
	}
	return nil
}
