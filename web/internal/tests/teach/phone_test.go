//go:build !js

package teach_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// On a small phone everything is reachable without horizontal scrolling, and a finger teaches while
// the picture stays visible.
func TestPhone(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy)
	s.Phone(360, 740)
	s.Ready()
	s.Shot("phone-start")
	s.StartCamera()
	s.Click("#add-class")
	s.WaitCount(".cards .card", 3)
	for class := 1; class <= 3; class++ {
		s.ScrollTo(studiotest.Card(class) + " .capture")
		lift := s.touch(studiotest.Card(class) + " .capture")
		s.WaitFor(`document.querySelector(".card.held .thumbnail:nth-child(3)")`)
		lift()
		s.WaitFor(`!document.querySelector(".card.held")`)
	}
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 3`)
	s.ScrollTo(studiotest.NothingCard + " .capture")
	lift := s.touch(studiotest.NothingCard + " .capture")
	s.WaitFor(`document.querySelector(".card.nothing.held .thumbnail:nth-child(3)")`)
	s.Shot("phone-nothing")
	lift()
	s.WaitFor(`!document.querySelector(".card.held")`)
	s.Shot("phone-scrolled")
	if !browsertest.Eval[bool](s.Browser, `(() => {
		const { top, bottom } = document.querySelector("video").getBoundingClientRect();
		return scrollY > 0 && top >= 0 && bottom <= innerHeight;
	})()`) {
		t.Error("the camera's picture is out of sight while the last class is taught")
	}
	s.Quiet()
}

// touch puts a finger on an element; lift lifts it.
func (s *studio) touch(selector string) (lift func()) {
	s.T.Helper()
	return s.TouchAt(s.Center(selector))
}
