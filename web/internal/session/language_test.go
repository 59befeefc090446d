package session

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLanguageOfWhatWasSaidAlready(t *testing.T) {
	defer texts.Use(texts.English)
	run(t, func(t *testing.T, s *Session, e *fakeEngine, c *fakeCamera, wait func()) {
		first := ids(s)[0]
		s.RenameClass(first, "cup")
		s.Capture(first) // without a camera
		wait()
		told := 0
		s.Watch(Language, func() { told++ })
		s.SetLanguage(texts.German)
		wait()

		if n := s.NoticeList(); len(n) != 1 || n[0].Title != texts.German.Notice.CameraOff {
			t.Errorf("notices %+v, want one in German", n)
		}
		var labels []string
		for _, c := range s.ClassList() {
			labels = append(labels, c.Label)
		}
		if want := []string{"cup", "Klasse 2"}; !slices.Equal(labels, want) {
			t.Errorf("classes %q, want %q", labels, want)
		}
		if got, want := e.told(), "rename "+ids(s)[1]+" Klasse 2"; got[len(got)-1] != want {
			t.Errorf("the engine was told %q last, want %q", got[len(got)-1], want)
		}
		if told != 1 {
			t.Errorf("told of the language %d times, want once", told)
		}
		s.SetLanguage(texts.English)
		if got := s.ClassList()[1].Label; got != "Class 2" {
			t.Errorf("the class is called %q in English, want Class 2", got)
		}
	})
}
