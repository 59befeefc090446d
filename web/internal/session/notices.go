package session

import (
	"slices"
	"time"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kind is how bad a notice is.
type Kind int

// The kinds of notices.
const (
	Good    Kind = iota // something is well again; goes away by itself
	News                // something to know; there is no hurry
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
	ActionReload
	ActionSaveAgain
	ActionRetrieveProject // the one that Subject names
)

// goodLasts is how long good news stays.
const goodLasts = 8 * time.Second

// Notice is a message for the person: what happened, and the remedy.
type Notice struct {
	Key     string // a later notice with the same key takes its place
	Kind    Kind
	Title   string
	Text    string
	Action  Action
	Subject string // what the action is about, where there are several
	number  int
	say     func(*texts.Texts) (title, text string) // fills Title and Text
}

// in returns the notice in the given language.
func (n Notice) in(t *texts.Texts) Notice {
	n.Title, n.Text = n.say(t)
	return n
}

// NoticeList returns the notices, oldest first.
func (s *Session) NoticeList() []Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.notices)
	for i := range list {
		list[i].say = nil // so that two lists can be compared
	}
	return list
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
	n = n.in(texts.Current())
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
