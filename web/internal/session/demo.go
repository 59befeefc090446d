package session

import (
	"slices"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Demo is the pictures that come with the page: examples, and others to try.
type Demo struct {
	part
	session *Session
	tries   []File
	project string   // that has the examples
	classes []string // that have them
}

// Show teaches classes from pictures that come with the page and shows the first of
// others that can be tried. See Capture.Fill for which classes.
func (d *Demo) Show(classes []ClassFiles, tries []File) {
	s := d.session
	ids, project := s.Capture.Fill(classes), s.Project.State().ID
	d.update(func() { d.tries, d.classes, d.project = tries, ids, project })
	if len(tries) > 0 {
		s.ShowPicture(tries[0])
	}
}

// Failed reports that the pictures that come with the page did not arrive.
func (d *Demo) Failed(err error) {
	d.session.Notices.post(Notice{
		Key: noticeFiles, Kind: Warning, Detail: detail(err),
		say: func(t *texts.Texts) (title, text string) { return t.Guide.Failed, reason(t, err) },
	})
}

// Tries are the pictures that can be tried: while the project that was taught with their
// like is open, and a class that was has examples.
func (d *Demo) Tries() []File {
	d.mu.Lock()
	tries, project, classes := d.tries, d.project, d.classes
	d.mu.Unlock()
	if len(tries) == 0 || project != d.session.Project.State().ID {
		return nil
	}
	taught := func(id string) bool {
		class, ok := d.session.Classes.Find(id)
		return ok && len(class.Examples)+class.Waiting > 0
	}
	if !slices.ContainsFunc(classes, taught) {
		return nil
	}
	return slices.Clone(tries)
}
