package learner

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
)

// A classifier that learns from many examples does so in slices where answers must not
// wait (ClassifyLive). They are measured by work, not by the clock: the same calls give the same
// answers on every machine.

// sliceWork is about how many nanoseconds a slice takes in a page: less than the pass of
// a picture through the network.
const sliceWork = 8_000_000

// sliceLooks is how many pictures are looked at in about that time.
const sliceLooks = 16

// Study does a slice of what the classifier has left to learn, and then of what Review
// will want to know of the pictures. It reports whether all is done: then answers are
// those of a learner without patience.
//
// Errors are those of the classifier.
func (l *Learner) Study() (done bool, err error) {
	if err := l.refit(); err != nil {
		return false, err
	}
	if student := l.classifier.Traits().Student; student != nil && len(l.fitted) > 0 {
		if done, err := study(student); !done || err != nil {
			return false, err
		}
	}
	return l.look(sliceLooks), nil
}

// study does a slice of learning.
func study(student fewshot.Student) (done bool, err error) {
	for spent := 0; spent < sliceWork; {
		work, err := student.Study()
		if err != nil || work == 0 {
			return err == nil, err
		}
		spent += work
	}
	return false, nil
}

// scores asks the classifier, or the result of training, about a picture.
func (l *Learner) scores(query *embed.Set) (err error) {
	by := l.scorer()
	traits := by.Traits()
	for done := traits.Student == nil; !done; done = done || l.hasty {
		if done, err = study(traits.Student); err != nil {
			return err
		}
	}
	if d := &l.detail; traits.Detailer != nil {
		err = traits.Detailer.Detail(d, query)
	} else {
		d.Bounded, d.Match, d.Head = d.Bounded[:0], d.Match[:0], d.Head[:0]
		d.Scores, err = by.Scores(d.Scores, query)
	}
	if err == nil {
		l.scored, l.scoredBy = l.revision, by
	}
	return err
}
