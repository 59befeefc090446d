package session

import (
	"slices"
	"time"
)

// Kind is how bad a notice is.
type Kind int

// The kinds of notices.
const (
	Good    Kind = iota // something is well again; goes away by itself
	Warning             // something did not work; nothing is lost
	Trouble             // the page cannot go on without the person
)

// Action is what a notice offers to do.
type Action int

// The actions that a notice may offer.
const (
	NoAction Action = iota
	ActionStartCamera
	ActionRetryEngine
)

// goodLasts is how long good news stays.
const goodLasts = 8 * time.Second

// Notice is a message for the person: what happened, and the remedy.
type Notice struct {
	Key    string // a later notice with the same key takes its place
	Kind   Kind
	Title  string
	Text   string
	Action Action
	number int
}

// NoticeList returns the notices, oldest first.
func (s *Session) NoticeList() []Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notices)
}

// Dismiss takes a notice away.
func (s *Session) Dismiss(key string) { s.dismiss(key) }

func (s *Session) dismiss(key string) {
	s.update(func() {
		s.notices = slices.DeleteFunc(slices.Clone(s.notices), func(n Notice) bool { return n.Key == key })
	}, Notices)
}

// post shows a notice in place of an earlier one with the same key.
func (s *Session) post(n Notice) {
	s.update(func() {
		s.lastID++
		n.number = s.lastID
		for i := range s.notices {
			if s.notices[i].Key == n.Key {
				s.notices[i] = n
				return
			}
		}
		s.notices = append(s.notices, n)
	}, Notices)
	if n.Kind == Good {
		time.AfterFunc(goodLasts, func() { s.expire(n.number) })
	}
}

// expire takes a notice away unless another has taken its place.
func (s *Session) expire(number int) {
	s.update(func() {
		s.notices = slices.DeleteFunc(slices.Clone(s.notices), func(n Notice) bool { return n.number == number })
	}, Notices)
}
