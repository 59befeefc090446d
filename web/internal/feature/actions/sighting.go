package actions

import (
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

const (
	answersLapse = 2 * time.Second // between two pictures of a camera
	silence      = time.Second     // between two sounds
)

// Subject is what an answer says and a rule is about. The zero Subject is no answer at
// all, such as silence.
type Subject struct {
	ClassID string // or "" where Of says it
	Of      string // project.OfUnknown, project.OfNothing, or "" for a class
}

// subjectOfAnswer is what an answer says.
func subjectOfAnswer(a kernel.Answer) Subject {
	switch {
	case a.Nothing():
		return Subject{Of: project.OfNothing}
	case a.Unknown():
		return Subject{Of: project.OfUnknown}
	}
	return Subject{ClassID: a.Best()}
}

// sighting tells when something is seen: when it has been the answer for a chosen time
// without a break. It is seen once, and again only after something else was seen.
type sighting struct {
	ofSounds bool // without answers it was silent, which is something else

	now         Subject   // the answer
	since, last time.Time // when it became that, and when it was last
	seen        Subject   // what was seen last
}

// observe takes note of an answer, and reports whether its subject is seen from now on.
func (s *sighting) observe(subject Subject, at time.Time, hold time.Duration) bool {
	lapsed := s.last.IsZero() || at.Sub(s.last) > s.lapse(hold)
	if lapsed && s.ofSounds {
		s.seen = Subject{}
	}
	if subject != s.now || lapsed {
		s.now, s.since = subject, at
	}
	s.last = at
	if s.now == s.seen || at.Sub(s.since) < hold {
		return false
	}
	s.seen = s.now
	return true
}

// lapse is how long after an answer the next has to come: after more, nobody knows what
// was there between them.
func (s *sighting) lapse(hold time.Duration) time.Duration {
	if s.ofSounds {
		return silence
	}
	return max(answersLapse, hold)
}

// reset forgets everything.
func (s *sighting) reset() { *s = sighting{ofSounds: s.ofSounds} }
