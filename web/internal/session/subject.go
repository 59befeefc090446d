package session

import (
	"strings"

	"github.com/deepemd/deepemd/core/method"
)

// subject is what a test is about: the classifier that answered, by all that its answers
// depend on.
type subject struct {
	method   method.Method
	network  string // its fingerprint
	learned  bool
	examples string // of the classes that count
}

// same reports whether two classifiers give the same answers.
func (s subject) same(o subject) bool {
	return s.method.Equal(o.method) && s.network == o.network && s.learned == o.learned && s.examples == o.examples
}

// subject is what a test would be about now.
func (t *Trial) subject() subject {
	s := subject{method: t.setup.Method(), network: t.queue.State().Info.Fingerprint}
	if engine := t.queue.get(); engine != nil {
		s.learned = engine.Learned()
	}
	var b strings.Builder
	for _, c := range append(t.classes.List(), t.classes.Nothing()...) {
		if c.Disabled || len(c.Examples) == 0 {
			continue
		}
		b.WriteString(c.ID)
		for _, id := range c.Examples {
			b.WriteByte(' ')
			b.WriteString(id)
		}
		b.WriteByte('\n')
	}
	s.examples = b.String()
	return s
}
