package session

import "github.com/deepemd/deepemd/web/internal/texts"

// SetLanguage has the page speak another language: texts.Current from now on,
// and what was said already. Classes that nobody has named are named anew.
func (s *Session) SetLanguage(t *texts.Texts) {
	var renamed []Class
	s.update(func() {
		texts.Use(t)
		t = texts.Current()
		for i, n := range s.notices {
			s.notices[i] = n.in(t)
		}
		if problem := s.cameraState.Problem; problem != nil {
			said := problem.in(t)
			s.cameraState.Problem = &said
		}
		for i := range s.classes {
			if c := &s.classes[i]; c.number > 0 {
				c.Label = t.Class.Default(c.number)
				renamed = append(renamed, *c)
			}
		}
		if s.engine == nil {
			renamed = nil // It is told all names when it is there.
		}
	}, Language, Notices, Cameras, Classes, Live)
	for _, c := range renamed {
		s.tell(func(e Engine) error { return e.RenameClass(c.ID, c.Label) })
	}
}
