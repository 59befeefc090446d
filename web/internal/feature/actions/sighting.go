package actions

import (
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

const (
	answersLapse = 2 * time.Second // between two camera frames
	// silence is the time between the answers to two sounds a second apart: answers continue for 0.8 s
	// after a sound, and begin 0.35 s after the start of the next.
	silence = 600 * time.Millisecond
)

// Subject is the subject of an answer and of a rule. The zero Subject means no answer, such as
// silence.
type Subject struct {
	ClassID string // "" if Of is set
	Of      string // project.OfUnknown, project.OfNothing, or "" for a class
}

func subjectOfAnswer(a kernel.Answer) Subject {
	switch {
	case a.Nothing():
		return Subject{Of: project.OfNothing}
	case a.Unknown():
		return Subject{Of: project.OfUnknown}
	}
	return Subject{ClassID: a.Best()}
}

// sighting detects sightings. A subject is seen once it has been the answer for a chosen time
// without interruption, and again only after another subject was seen.
type sighting struct {
	ofSounds bool // a pause in the answers is silence, which counts as another subject

	now         Subject   // the present answer
	since, last time.Time // the first and the latest time of that answer
	seen        Subject   // the latest sighting
}

// observe processes an answer, and reports whether its subject has just been seen.
func (s *sighting) observe(subject Subject, at time.Time, hold time.Duration) bool {
	lapsed := s.last.IsZero() || at.Sub(s.last) > s.maxGap(hold)
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

// maxGap returns the maximum time between answers: after a longer pause, the subject may have
// changed in between.
func (s *sighting) maxGap(hold time.Duration) time.Duration {
	if s.ofSounds {
		return silence
	}
	return max(answersLapse, hold)
}

func (s *sighting) reset() { *s = sighting{ofSounds: s.ofSounds} }
