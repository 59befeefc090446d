//go:build !js

package why_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Background examples have a card at the end, which the part about unknown images links to. Similar
// images are unknown, with any strictness. The examples are saved, undone and disabled like
// examples of a class, but never appear in an answer.
func TestImproveNothing(t *testing.T) {
	buses := studiotest.Photographs(t, "n04487081", 0, 11)
	words := texts.In("en")
	s := open(t, browsertest.Options{})
	s.Ready()
	if n := s.Count(studiotest.NothingCard); n != 0 {
		t.Errorf("%d cards of nothing before anything was taught", n)
	}
	s.Name(1, "Teapot")
	s.Name(2, "Koala")
	s.Give(1, studiotest.Photographs(t, "n04398044", 0, 6)...)
	s.Give(2, studiotest.Photographs(t, "n01882714", 0, 6)...)
	s.WaitCount(".cards .thumbnail", 12)
	s.WaitCount(studiotest.NothingCard, 1)
	if got := s.Text(studiotest.NothingCard + " .name"); got != words.Class.Nothing {
		t.Errorf("the card is headed %q", got)
	}
	s.WaitFor(`document.querySelector("#show-nothing") && !document.querySelector(".improve .busy")`)
	s.ScrollTo("#show-nothing")
	s.Shot("nothing-hint")
	s.Click("#show-nothing")
	s.WaitFor(`document.activeElement.matches(".card.nothing .capture")`)
	s.Shot("nothing-shown")

	// Without strictness, only background examples make images unknown.
	s.Click("#look-for-unknown")
	s.Drop(".view", buses[10])
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`)
	s.Drop(studiotest.NothingCard, buses[:10]...)
	s.WaitCount(studiotest.NothingCard+" .thumbnail", 10)
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	if got := s.Text(".stranger-note"); got != words.Improve.NothingTip {
		t.Errorf("the note says %q", got)
	}
	if n := s.Count(".bars .bar"); n != 2 {
		t.Errorf("%d bars, want those of the two classes", n)
	}
	s.WaitFor(`document.querySelector("#nothing-says") && !document.querySelector(".improve .busy")`)
	if got := s.Text("#nothing-says"); got != words.Improve.NothingSays(10) {
		t.Errorf("under unknown things stands %q", got)
	}
	if n := s.Count(".confusion tbody tr"); n != 2 {
		t.Errorf("%d rows in the table of what is mixed up, want two", n)
	}
	s.Drop(".view", studiotest.Photographs(t, "n01882714", 20, 21)[0])
	s.WaitFor(`document.querySelector(".caption")?.innerText.startsWith("Koala")`)
	s.Drop(".view", buses[10])
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	s.Shot("nothing")

	s.Click("#undo")
	s.WaitCount(studiotest.NothingCard+" .thumbnail", 0)
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`)
	s.Click("#redo")
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	s.Click(studiotest.NothingCard + " .enable")
	s.WaitFor(`/Teapot|Koala/.test(document.querySelector(".caption")?.innerText)`)
	s.Click(studiotest.NothingCard + " .enable")
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	s.IsKept()

	s.Revisit()
	s.WaitCount(studiotest.NothingCard+" .thumbnail", 10)
	s.WaitCount(".cards .card", 2)
	s.Drop(".view", buses[10])
	s.WaitFor(`document.querySelector(".caption")?.innerText === "Unknown"`)
	s.Phone(360, 740)
	s.ScrollTo(studiotest.NothingCard)
	s.Shot("nothing-phone")
	if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > 360 {
		t.Errorf("at a width of 360 px the page is %d px wide", got)
	}
	s.Quiet()
}
