package learner

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
)

// The classifier follows the classes. A new example changes only its own class;
// after a removal the next classification fits all classes again.

// adopt makes a set an example of a class; seen is the picture behind it, if any. A set
// that cannot be matched is an error, and changes nothing.
func (l *Learner) adopt(c *class, exampleID string, set *embed.Set, seen *imaging.Image) error {
	if err := l.explainer.matcher.Reset(&l.explainer.query, set); err != nil {
		return err
	}
	l.revision++
	if !c.nothing {
		l.training.reset()
		if !c.disabled && !l.stale && !l.extend(c, set) {
			l.stale = true
		}
	}
	added := example{id: exampleID, set: set}
	if seen != nil { // a copy, as its memory is used again
		added.fresh = &imaging.Image{Width: seen.Width, Height: seen.Height, Pix: slices.Clone(seen.Pix)}
	}
	if !l.opt.Lean {
		added.seen = added.fresh
	}
	c.examples = append(c.examples, added)
	return nil
}

// look measures the looks of examples that came since, at most so many, and reports whether
// all are measured. Whoever adds hundreds does not wait for that.
func (l *Learner) look(most int) (done bool) {
	for _, c := range l.classes {
		for i := range c.examples {
			e := &c.examples[i]
			if e.fresh == nil {
				continue
			}
			if most == 0 {
				return false
			}
			looks := l.meter.Measure(e.fresh)
			e.looks, e.fresh = &looks, nil
			most--
		}
	}
	return true
}

// extend gives the classifier a new example of a class, and reports whether it took
// it.
func (l *Learner) extend(c *class, set *embed.Set) bool {
	traits := l.classifier.Traits()
	if traits.Extender == nil || len(l.fitted) == 0 {
		return false
	}
	at := slices.Index(l.fitted, c)
	if at < 0 {
		if traits.Student != nil {
			return false // it goes on answering by what it learned, class by class: it has to know their names
		}
		at = len(l.fitted)
	}
	if traits.Extender.Extend(at, set) != nil {
		return false // and fitting says why
	}
	if at == len(l.fitted) {
		l.fitted = append(l.fitted, c)
	}
	return true
}

// changed notes that examples of a class went away, or that others count now; nil
// stands for all classes.
func (l *Learner) changed(c *class) {
	l.revision++
	if c == nil || !c.nothing {
		l.stale = true
		l.training.reset()
	}
}

// fit brings the classifier up to date with the classes, of which there must be one.
func (l *Learner) fit() error {
	if err := l.refit(); err != nil {
		return err
	}
	if len(l.fitted) == 0 {
		return fail(CodeEmpty, "no examples yet: add at least one example of a class, then classify")
	}
	return nil
}

// refit brings the classifier up to date with the classes, if there are any.
func (l *Learner) refit() error {
	if l.stale {
		l.fitted = l.fitted[:0]
		for _, c := range l.classes {
			if len(c.examples) > 0 && !c.disabled && !c.nothing {
				l.fitted = append(l.fitted, c)
			}
		}
		if len(l.fitted) > 0 {
			if err := l.classifier.Fit(l.support()); err != nil {
				return err
			}
		}
		l.stale = false
	}
	return nil
}

// support lists the examples of the fitted classes.
func (l *Learner) support() []fewshot.Class { return supportOf(l.fitted) }

// supportOf lists the examples of classes.
func supportOf(classes []*class) []fewshot.Class {
	support := make([]fewshot.Class, len(classes))
	for i, c := range classes {
		support[i].Name = c.id
		for _, ex := range c.examples {
			support[i].Support = append(support[i].Support, ex.set)
		}
	}
	return support
}

// scorer is the classifier, or the result of training if nothing has changed since.
func (l *Learner) scorer() fewshot.Classifier {
	if l.training.learned != nil {
		return l.training.learned
	}
	return l.classifier
}

// current reports whether the latest logits are what the scorer would say now.
func (l *Learner) current() bool { return l.scored == l.revision && l.scoredBy == l.scorer() }
