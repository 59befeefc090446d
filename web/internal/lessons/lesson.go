package lessons

import (
	"slices"

	"github.com/deepemd/deepemd/core/project"
)

// The ids of the lessons, in addresses and projects too.
const (
	Recycling  = "recycling"
	Hands      = "hands"
	Characters = "characters"
	Words      = "words"
)

// Lesson is an hour's activity for a school class.
type Lesson struct {
	ID    string
	Kind  string // of its project: project.KindImage or project.KindSound
	Drawn bool   // its pictures are drawn: some come with the page
}

// Hash returns the hash of the studio's address that starts the lesson.
func (l Lesson) Hash() string {
	if l.Kind == project.KindSound {
		return "sounds&lesson=" + l.ID
	}
	return "lesson=" + l.ID
}

// All lists the lessons, the easiest to prepare first.
var All = []Lesson{
	{Recycling, project.KindImage, false},
	{Hands, project.KindImage, false},
	{Characters, project.KindImage, true},
	{Words, project.KindSound, false},
}

// Find returns the lesson of a name; ok is false if there is none.
func Find(id string) (lesson Lesson, ok bool) {
	i := slices.IndexFunc(All, func(l Lesson) bool { return l.ID == id })
	if i < 0 {
		return Lesson{}, false
	}
	return All[i], true
}
