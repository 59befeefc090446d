package wasm

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/quality"
)

// The classifier follows the classes: an example that is added is taken in at once,
// at the price of its own class; whatever is removed makes the next classification
// fit all anew.

// adopt makes a set an example of a class; seen is what it was made of. It returns an error, and changes
// nothing, for a set that cannot be matched.
func (e *Engine) adopt(c *class, exampleID string, set *embed.Set, seen *imaging.Image) error {
	if err := e.explainer.matcher.Reset(&e.explainer.query, set); err != nil {
		return err
	}
	e.learner.reset()
	e.revision++
	if !c.disabled && !e.stale && !e.extend(c, set) {
		e.stale = true
	}
	c.examples = append(c.examples, example{id: exampleID, set: set, looks: quality.Measure(seen)})
	return nil
}

// extend tells the classifier of a class's new example, and reports whether it took
// it in.
func (e *Engine) extend(c *class, set *embed.Set) bool {
	extender, ok := e.classifier.(fewshot.Extender)
	if !ok || len(e.fitted) == 0 {
		return false
	}
	at := slices.Index(e.fitted, c)
	if at < 0 {
		at = len(e.fitted)
	}
	if extender.Extend(at, set) != nil {
		return false // and fitting says why
	}
	if at == len(e.fitted) {
		e.fitted = append(e.fitted, c)
	}
	return true
}

// changed says that examples went, or count otherwise.
func (e *Engine) changed() {
	e.stale = true
	e.revision++
	e.learner.reset()
}

// fit brings the classifier up to date with the classes.
func (e *Engine) fit() error {
	if e.stale {
		e.fitted = e.fitted[:0]
		for _, c := range e.classes {
			if len(c.examples) > 0 && !c.disabled {
				e.fitted = append(e.fitted, c)
			}
		}
		if len(e.fitted) > 0 {
			if err := e.classifier.Fit(e.support()); err != nil {
				return err
			}
		}
		e.stale = false
	}
	if len(e.fitted) == 0 {
		return fail(CodeEmpty, "no examples yet: add at least one example of a class, then classify")
	}
	return nil
}

// support lists the examples of the fitted classes.
func (e *Engine) support() []fewshot.Class {
	support := make([]fewshot.Class, len(e.fitted))
	for i, c := range e.fitted {
		support[i].Name = c.id
		for _, ex := range c.examples {
			support[i].Support = append(support[i].Support, ex.set)
		}
	}
	return support
}

// scorer is what answers: the classifier, or what was learned since the last
// change.
func (e *Engine) scorer() fewshot.Classifier {
	if e.learner.learned != nil {
		return e.learner.learned
	}
	return e.classifier
}

// bounded reports whether the latest score of a fitted class is an upper bound
// only.
func (e *Engine) bounded(class int) bool {
	b, ok := e.scorer().(interface{ Bounded() []bool })
	return ok && class < len(b.Bounded()) && b.Bounded()[class]
}
