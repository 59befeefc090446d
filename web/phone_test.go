package web_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// At the width of a small phone everything is reached without scrolling
// sideways, and a finger teaches while the picture stays in sight.
func TestPhone(t *testing.T) {
	s := open(t, browsertest.Options{Camera: plainFilm(t)}, spy)
	s.Do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
	s.ready()
	s.shot("phone-start")
	s.click("#start")
	s.WaitFor(`document.querySelector("#cameras")`, 20*time.Second)
	s.click("#add-class")
	s.waitCount(".card", 3)
	for class := 1; class <= 3; class++ {
		s.Do(chromedp.ScrollIntoView(chromedp.CSS(card(class) + " .capture")))
		lift := s.touch(card(class) + " .capture")
		s.WaitFor(`document.querySelector(".card.held .thumbnail:nth-child(3)")`, 20*time.Second)
		lift()
		s.WaitFor(`!document.querySelector(".card.held")`, 5*time.Second)
	}
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 3`, 20*time.Second)
	s.shot("phone-scrolled")
	if !browsertest.Eval[bool](s.Browser, `(() => {
		const { top, bottom } = document.querySelector("video").getBoundingClientRect();
		return scrollY > 0 && top >= 0 && bottom <= innerHeight;
	})()`) {
		t.Error("the camera's picture is out of sight while the last class is taught")
	}
	for _, w := range []int64{320, 360, 414, 768, 1024} {
		s.Do(chromedp.EmulateViewport(w, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
		if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > int(w) {
			t.Errorf("at a width of %d px the page is %d px wide", w, got)
		}
	}
	s.quiet()
}

// touch puts a finger on an element; the returned function lifts it.
func (s *studio) touch(selector string) (lift func()) {
	s.t.Helper()
	return s.touchAt(s.centre(selector))
}

// touchAt puts a finger on a place; the returned function lifts it.
func (s *studio) touchAt(x, y float64) (lift func()) {
	s.t.Helper()
	send := func(typ input.DispatchTouchEventType, points ...*input.TouchPoint) {
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points})
			return chromedp.Void{}, err
		})
	}
	send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	return func() { send(input.DispatchTouchEventTypeTouchEnd) }
}
