package project

import "encoding/json"

// ExtensionLesson is the extension in which a project keeps its Lesson.
const ExtensionLesson = "lesson"

// Lesson is the lesson that a project was begun for, and how far its pupils are. The zero
// Lesson is none.
type Lesson struct {
	ID       string   `json:"id"`
	Alphabet string   `json:"alphabet,omitempty"` // of drawn characters
	Done     []string `json:"done,omitempty"`     // the names of the steps that were reached
	// Judged says of the latest answers that the pupils judged whether they were right,
	// oldest first.
	Judged []bool `json:"judged,omitempty"`
	// Since is how many examples there were when an answer was wrong for the first time;
	// 0 before that.
	Since int  `json:"since,omitempty"`
	Away  bool `json:"away,omitempty"` // the steps are not shown
}

// Lesson returns the lesson of the project: the zero Lesson where it says nothing of one, or
// nothing that can be read.
func (m *Manifest) Lesson() Lesson {
	var l Lesson
	if json.Unmarshal(m.Extensions[ExtensionLesson], &l) != nil {
		return Lesson{}
	}
	return l
}

// Keep returns extensions with the lesson among them, and does not change the given ones. No
// lesson is not kept.
func (l Lesson) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionLesson, l, l.ID != "")
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return kept
}
