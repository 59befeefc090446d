package texts

import "strings"

// Lessons is the dialog of lessons, and the part of the page that shows the steps of one.
type Lessons struct {
	Open      string // buttons that open the dialog
	Title     string
	About     string                      // under the title: what becomes of the project that is open
	Begin     string                      // button
	BeginOne  func(lesson string) string  `args:"lesson"` // its label
	GoOn      string                      // button: shows the steps again
	Things    func(classes string) string `args:"classes"`
	Notes     string                      // link to the notes for teachers
	NotesOf   func(lesson string) string  `args:"lesson"`
	PutAway   string                      // button
	Steps     string                      // label of the list
	Reached   string                      // of a step, for who cannot see the tick
	Complete  string                      // all of them
	Failed    string                      // drawings did not arrive
	Alphabet  string                      // label of the list
	Alphabets map[string]string

	First     string // buttons: teach drawings that come with the page
	More      string
	Tries     string             // what other drawings are for
	Try       func(n int) string `args:"n"`
	TryAll    string             // button
	WasRight  string             // of a try
	WasWrong  string
	TriesSum  func(right, all int) string `args:"right all"`
	Draw      string                      // button: opens the pad
	DrawEnd   string                      // button: closes it
	Pad       string                      // label
	PadHint   string                      // on it, while it is empty
	Clear     string                      // button
	This      string                      // before the names of the classes: what is on the pad?
	TeachThis func(class string) string   `args:"class"`
	Drawing   string                      // what is on it, as the name of a file

	Judge string // question: was the answer right?
	Yes   string
	No    string
	Sum   func(right, all int) string `args:"right all"`

	Recycling, Hands, Characters, Words LessonWords
}

// LessonWords is what a lesson says.
type LessonWords struct {
	Title   string
	Goal    string
	Classes string             // their names, with ", " between them; of drawn characters, what they are
	Teach   func(n int) string `args:"n"`
	Test    string
	Fool    string
	Improve string
	Reach   func(right, all int) string `args:"right all"`
}

// Of returns the words of a lesson; the first one's where no lesson has that name.
func (l *Lessons) Of(lesson string) *LessonWords {
	switch lesson {
	case "hands":
		return &l.Hands
	case "characters":
		return &l.Characters
	case "words":
		return &l.Words
	}
	return &l.Recycling
}

// ClassNames are the names of a lesson's classes.
func (w *LessonWords) ClassNames() []string { return strings.Split(w.Classes, ", ") }
