package session

import (
	"context"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/explain"
)

// WhyInterval is the time from one explanation of what the camera shows to the
// next: ten a second are as many as an eye can follow.
const WhyInterval = 100 * time.Millisecond

// Match says why a picture is as like a class as it is: how it matches the
// example of the class that is most like it.
type Match struct {
	// Explanation holds the match: From is the picture, To the example.
	*explain.Explanation
	ClassID, ExampleID string
	// Answer is what the picture was taken for.
	Answer Answer
	// Seen and Example are the pixels of both, as the network saw them.
	Seen, Example Source
}

// Alike is how alike the two pictures are, 0 to 1: the similarity of what was
// matched, averaged by its weight.
func (m *Match) Alike() float64 { return max(0, m.Score/m.Temperature) }

// Part is one of the regions of a match.
type Part struct {
	OfExample bool // of the example, not of the picture
	Node      int
}

// Pair is a region of the picture and one of the example.
type Pair struct{ From, To int }

// Closer is one picture that is looked at more closely, with the class that it is
// compared with.
type Closer struct {
	ClassID string // that is asked about; Match is another's until it is known
	Match   *Match
	Pair    Pair // that is pointed at
}

// WhyState is what is shown of the reasons.
type WhyState struct {
	Shown  bool
	Heat   bool    // weights are shown as light and dark
	Match  *Match  // the latest, nil while there is none
	Part   *Part   // of Match that is pointed at, which holds it still; or nil
	Closer *Closer // nil unless the person looks more closely
}

// Why returns what is shown of the reasons.
func (s *Session) Why() WhyState {
	s.mu.Lock()
	defer s.mu.Unlock()
	why := s.why
	if len(s.live.Scores) == 0 { // what it was about is gone
		why.Match, why.Part = nil, nil
	}
	return why
}

// ShowWhy shows the reasons, or hides them: then they are not asked for either.
func (s *Session) ShowWhy(on bool) {
	s.update(func() {
		s.why.Shown = on
		s.why.Match, s.why.Part = nil, nil
	}, Reasons)
	if on {
		s.reclassify()
	}
}

// ShowHeat shows how much each region counts as light and dark, or does not.
func (s *Session) ShowHeat(on bool) {
	s.update(func() { s.why.Heat = on }, Reasons)
}

// PointAt points at a region of the latest match, which is held still until
// nothing is pointed at: nil.
func (s *Session) PointAt(part *Part) {
	s.update(func() {
		if s.why.Match == nil {
			part = nil
		}
		s.why.Part = part
	}, Reasons)
}

// LookCloser opens the latest match to be looked at more closely.
func (s *Session) LookCloser() {
	s.update(func() {
		if m := s.why.Match; m != nil {
			s.why.Closer = &Closer{ClassID: m.ClassID, Match: m, Pair: strongest(m)}
			s.why.Part = nil
		}
	}, Reasons)
}

// LookAway closes what LookCloser opened.
func (s *Session) LookAway() {
	s.update(func() { s.why.Closer = nil }, Reasons)
}

// PickPair points at a pair of the match that is looked at more closely.
func (s *Session) PickPair(pair Pair) {
	s.update(func() {
		if c := s.why.Closer; c != nil && c.Pair != pair {
			next := *c
			next.Pair = pair
			s.why.Closer = &next
		}
	}, Reasons)
}

// CompareWith compares the picture that is looked at more closely with another
// class: why is it not that?
func (s *Session) CompareWith(classID string) {
	var asked *Closer
	s.update(func() {
		if c := s.why.Closer; c != nil && c.ClassID != classID {
			next := *c
			next.ClassID = classID
			asked = &next
			s.why.Closer = asked
		}
	}, Reasons)
	if asked == nil {
		return
	}
	settled := s.settled()
	go func() {
		<-settled
		_, match, err := s.engine.Explain(asked.Match.Seen, classID)
		if err != nil {
			s.trouble(err)
		}
		s.update(func() {
			c := s.why.Closer
			if c == nil || c.ClassID != classID {
				return // The person has moved on.
			}
			if err != nil || match == nil {
				next := *c
				next.ClassID = c.Match.ClassID
				s.why.Closer = &next
				return
			}
			match.Answer = c.Match.Answer
			s.why.Closer = &Closer{ClassID: classID, Match: match, Pair: strongest(match)}
		}, Reasons)
	}()
}

// strongest is the pair of a match that exchanges most.
func strongest(m *Match) Pair {
	if links := m.Links(0); len(links) > 0 {
		return Pair{links[0].From, links[0].To}
	}
	return Pair{}
}

// ask asks the engine what a picture is and, when it is time to, why: else the
// match is nil.
func (s *Session) ask(source Source, why bool) (Answer, *Match, error) {
	if why {
		return s.engine.Explain(source, "")
	}
	answer, err := s.engine.Classify(source)
	return answer, nil, err
}

// wantsWhy reports whether the person would see an explanation now. The lock is
// held.
func (s *Session) wantsWhy() bool { return s.why.Shown && s.why.Part == nil && s.why.Closer == nil }

// timeForWhy reports whether the next frame is to be explained, and counts on it.
func (s *Session) timeForWhy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !s.wantsWhy() || now.Sub(s.explained) < WhyInterval {
		return false
	}
	s.explained = now
	return true
}

// reason publishes the reason of a live answer, unless it came too late or the
// example has gone. The lock is held.
func (s *Session) reason(ctx context.Context, match *Match) {
	if match == nil || ctx.Err() != nil || !s.wantsWhy() {
		return
	}
	if c := s.class(match.ClassID); c != nil && slices.Contains(c.Examples, match.ExampleID) {
		s.why.Match = match
	}
}

// forgetWhy drops the latest reason: what it was about is shown no more. The lock
// is held.
func (s *Session) forgetWhy() { s.why.Match, s.why.Part, s.explained = nil, nil, time.Time{} }
