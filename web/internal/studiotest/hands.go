//go:build !js

package studiotest

import (
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Click presses and releases the left mouse button on an element once it stops moving, and again if
// the element moved away in between.
func (s *Studio) Click(selector string) {
	s.T.Helper()
	for range 10 {
		x, y := s.aim(selector)
		s.Do(chromedp.MouseClickXY(x, y))
		if !s.Is(`globalThis.testClick === "awaited"`) { // not even in a page that it opened
			return
		}
	}
	s.T.Fatalf("%s is clicked, and does not notice", selector)
}

// OpenDialog opens a dialog with its button.
func (s *Studio) OpenDialog(button, dialog string) {
	s.T.Helper()
	s.Click(button)
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", dialog+"[open]"), 20*time.Second)
}

// CloseDialog closes a dialog, like Escape.
func (s *Studio) CloseDialog(dialog string) {
	s.T.Helper()
	s.Eval(fmt.Sprintf("document.querySelector(%q).close()", dialog))
}

// aim waits until an element is enabled and stops moving, and returns its center, or the center of
// its first line. The page then records whether the element is clicked.
func (s *Studio) aim(selector string) (x, y float64) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`(async () => {
		const at = () => JSON.stringify(document.querySelector(%[1]q)?.getBoundingClientRect());
		document.querySelector(%[1]q)?.scrollIntoViewIfNeeded();
		const [r] = document.querySelector(%[1]q)?.getClientRects() ?? [];
		const hit = r && document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
		if (hit && !hit.closest(%[1]q)) { // a bar that stays at the edge of the window covers it
			document.querySelector(%[1]q).scrollIntoView({ block: "center", behavior: "instant" });
		}
		const before = at();
		for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
		const element = document.querySelector(%[1]q);
		if (!element?.checkVisibility() || element.disabled || before !== at()) return false;
		globalThis.testClick = "awaited";
		addEventListener("click", (event) => { // the element may be drawn again
			if (event.composedPath().some((node) => node.matches?.(%[1]q))) globalThis.testClick = "noticed";
		}, { capture: true, once: true });
		return true;
	})()`, selector), 10*time.Second)
	at := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(
		`(() => { const [r] = document.querySelector(%q).getClientRects(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	return at[0], at[1]
}

// Press presses the left mouse button on an element once it stops moving; release releases it.
func (s *Studio) Press(selector string) (release func()) {
	s.T.Helper()
	x, y := s.aim(selector)
	s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	return func() {
		s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
}

// Center returns the position of an element's center in the window.
func (s *Studio) Center(selector string) (x, y float64) {
	s.T.Helper()
	at := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(
		`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	return at[0], at[1]
}

// TouchAt puts a finger on a position; lift lifts it.
func (s *Studio) TouchAt(x, y float64) (lift func()) {
	s.T.Helper()
	send := func(typ input.DispatchTouchEventType, points ...*input.TouchPoint) {
		s.Do(Command(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points}))
	}
	send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	return func() { send(input.DispatchTouchEventTypeTouchEnd) }
}

// Name types a class's name.
func (s *Studio) Name(class int, text string) {
	s.T.Helper()
	field := Card(class) + " input.name"
	s.Click(field)
	s.Eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	s.Do(chromedp.SendKeys(chromedp.CSS(field), text+"\r"))
}

// Key sends a keyboard event to the focused element.
func (s *Studio) Key(typ input.DispatchKeyEventType, key, code string, keyCode int64) {
	s.T.Helper()
	s.Do(Command(input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: typ, Key: key, Code: code, WindowsVirtualKeyCode: keyCode,
	}))
}

// Drop drops files on an element.
func (s *Studio) Drop(selector string, files ...string) {
	s.T.Helper()
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := s.Center(selector)
	const copies = 1
	for _, step := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		s.Do(Command(input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: step, X: x, Y: y,
			Data: &input.DragData{Files: files, Items: []*input.DragDataItem{}, DragOperationsMask: copies},
		}))
	}
}

// Eval runs a script in the page and ignores its result.
func (s *Studio) Eval(script string) {
	s.T.Helper()
	browsertest.Eval[any](s.Browser, "(() => { "+script+" })()")
}
