package kernel_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestInstallation(t *testing.T) {
	s := kerneltest.New()
	told := 0
	s.Installation.Watch(func() { told++ })
	want := InstallationState{Kept: true, Installable: true}
	s.Installation.Changed(want)
	if got := s.Installation.State(); got != want || told != 1 {
		t.Errorf("%+v, told %d times, want %+v and once", got, told, want)
	}
	s.Installation.UpdateReady()
	if n := s.Notices.List(); len(n) != 1 || n[0].Action != ActionReload || n[0].Title != texts.In("en").Notice.Update {
		t.Errorf("notices %+v, want an offer to load the new version", n)
	}
}

// A session speaks its language with the words of its kind, also after a change.
func TestWordsOfAKind(t *testing.T) {
	s := New(project.KindSound, texts.In("de"))
	if got := s.Texts().Camera.Start; got != "Mikrofon starten" {
		t.Errorf("%q in German", got)
	}
	s.SetLanguage(texts.In("en"))
	if got := s.Texts().Camera.Start; got != "Start microphone" {
		t.Errorf("%q in English", got)
	}
}
