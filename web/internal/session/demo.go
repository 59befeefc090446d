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

// Demo is the pictures that come with the page.
type Demo struct {
	part
	session *Session
	tries   []File
}

// Show teaches classes from pictures that come with the page and shows the first of
// others that can be tried. Classes without examples are taken for them before new ones
// are made.
func (d *Demo) Show(classes []DemoClass, tries []File) {
	s := d.session
	var empty []string
	for _, c := range s.Classes.List() {
		if len(c.Examples) == 0 && c.Waiting == 0 {
			empty = append(empty, c.ID)
		}
	}
	for _, c := range classes {
		var id string
		if len(empty) > 0 {
			id, empty = empty[0], empty[1:]
		} else {
			id = s.Classes.Add()
		}
		s.Classes.Rename(id, c.Label)
		s.AddFiles(id, c.Files)
	}
	d.update(func() { d.tries = tries })
	if len(tries) > 0 {
		s.ShowPicture(tries[0])
	}
}

// Failed reports that the pictures that come with the page did not arrive.
func (d *Demo) Failed(err error) {
	d.session.Notices.post(Notice{
		Key: noticeFiles, Kind: Warning,
		say: func(t *texts.Texts) (title, text string) { return t.Guide.Failed, reason(t, err) },
	})
}

// Tries are the pictures that can be tried, none while the demonstration was not asked
// for.
func (d *Demo) Tries() []File {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.tries)
}
