package session

import (
	"slices"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// DemoClass is a class of the pictures that come with the page: what it is, and
// its examples.
type DemoClass struct {
	Label string
	Files []File
}

// ShowDemo teaches classes from pictures that come with the page and shows the
// first of others that can be tried. Classes without examples are taken for them
// before new ones are made.
func (s *Session) ShowDemo(classes []DemoClass, tries []File) {
	var empty []string
	for _, c := range s.ClassList() {
		if len(c.Examples) == 0 && c.Waiting == 0 {
			empty = append(empty, c.ID)
		}
	}
	for _, c := range classes {
		var id string
		if len(empty) > 0 {
			id, empty = empty[0], empty[1:]
		} else {
			id = s.AddClass()
		}
		s.RenameClass(id, c.Label)
		s.AddFiles(id, c.Files)
	}
	s.update(func() { s.tries = tries }, Demos)
	if len(tries) > 0 {
		s.ShowPicture(tries[0])
	}
}

// DemoFailed reports that the pictures that come with the page did not arrive.
func (s *Session) DemoFailed(err error) {
	s.post(Notice{
		Key: noticeFiles, Kind: Warning,
		say: func(t *texts.Texts) (title, text string) { return t.Guide.Failed, reason(t, err) },
	})
}

// Tries are the pictures of the demonstration that can be tried, none while it
// was not asked for.
func (s *Session) Tries() []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tries)
}
