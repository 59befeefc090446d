package install

import (
	"testing"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestInstallation(t *testing.T) {
	s := kerneltest.New()
	i := &Installation{Part: kernel.Part{K: s}}
	told := 0
	i.Watch(func() { told++ })
	want := State{Kept: true, Installable: true}
	i.Changed(want)
	if got := i.State(); got != want || told != 1 {
		t.Errorf("%+v, told %d times, want %+v and once", got, told, want)
	}
	i.UpdateReady()
	if n := s.Notices.List(); len(n) != 1 || n[0].Button != texts.In("en").Notice.Reload || n[0].Title != texts.In("en").Notice.Update {
		t.Errorf("notices %+v, want an offer to load the new version", n)
	}
}
