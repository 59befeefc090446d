package session

import (
	"slices"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Demo is the pictures that come with the page.
type Demo struct {
	part
	session *Session
	tries   []File
}

// Show teaches classes from pictures that come with the page and shows the first of
// others that can be tried. See Capture.Fill for which classes.
func (d *Demo) Show(classes []ClassFiles, tries []File) {
	s := d.session
	s.Capture.Fill(classes)
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
