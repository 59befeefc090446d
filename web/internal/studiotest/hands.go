//go:build !js

package studiotest

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Click presses and releases the left mouse button on an element, as soon as that stands
// still: what has just closed or opened elsewhere moves it.
func (s *Studio) Click(selector string) {
	s.T.Helper()
	s.Do(chromedp.WaitVisible(chromedp.CSS(selector)))
	s.stands(selector)
	s.Do(chromedp.Click(chromedp.CSS(selector)))
}

// OpenDialog opens a dialog by the button that is for it.
func (s *Studio) OpenDialog(button, dialog string) {
	s.T.Helper()
	s.Click(button)
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", dialog+"[open]"), 20*time.Second)
}

// CloseDialog closes a dialog, as Escape does.
func (s *Studio) CloseDialog(dialog string) {
	s.T.Helper()
	s.Eval(fmt.Sprintf("document.querySelector(%q).close()", dialog))
}

// stands waits until an element stands still.
func (s *Studio) stands(selector string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`(async () => {
		const at = () => JSON.stringify(document.querySelector(%q)?.getBoundingClientRect());
		const before = at();
		for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
		return before && before === at();
	})()`, selector), 5*time.Second)
}

// Press puts the left mouse button down on an element, as soon as that stands still; the
// returned function lets it go again.
func (s *Studio) Press(selector string) (release func()) {
	s.T.Helper()
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	s.stands(selector)
	x, y := s.Centre(selector)
	s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	return func() {
		s.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
}

// Centre returns where an element's middle is in the window.
func (s *Studio) Centre(selector string) (x, y float64) {
	s.T.Helper()
	at := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(
		`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	return at[0], at[1]
}

// TouchAt puts a finger on a place; the returned function lifts it.
func (s *Studio) TouchAt(x, y float64) (lift func()) {
	s.T.Helper()
	send := func(typ input.DispatchTouchEventType, points ...*input.TouchPoint) {
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points})
			return chromedp.Void{}, err
		})
	}
	send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	return func() { send(input.DispatchTouchEventTypeTouchEnd) }
}

// Name types a class's name as a person does.
func (s *Studio) Name(class int, text string) {
	s.T.Helper()
	field := Card(class) + " input.name"
	s.Click(field)
	s.Eval(fmt.Sprintf("document.querySelector(%q).select()", field))
	s.Do(chromedp.SendKeys(chromedp.CSS(field), text+"\r"))
}

// Key sends what happens when a key goes down, or up, on what has the focus.
func (s *Studio) Key(typ input.DispatchKeyEventType, key, code string, keyCode int64) {
	s.T.Helper()
	s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: typ, Key: key, Code: code, WindowsVirtualKeyCode: keyCode,
		})
		return chromedp.Void{}, err
	})
}

// Drop lets go of files, dragged from elsewhere, over an element.
func (s *Studio) Drop(selector string, files ...string) {
	s.T.Helper()
	s.Do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := s.Centre(selector)
	const copies = 1
	for _, step := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, input.DispatchDragEvent, input.DispatchDragEventParams{
				Type: step, X: x, Y: y,
				Data: &input.DragData{Files: files, Items: []*input.DragDataItem{}, DragOperationsMask: copies},
			})
			return chromedp.Void{}, err
		})
	}
}

// Eval runs a script in the page for its effect.
func (s *Studio) Eval(script string) {
	s.T.Helper()
	browsertest.Eval[any](s.Browser, "(() => { "+script+" })()")
}
