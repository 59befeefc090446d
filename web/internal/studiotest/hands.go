//go:build !js

package studiotest

import (
	"fmt"

	"github.com/chromedp/cdproto/input"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// OpenDialog opens a dialog with its button.
func (s *Studio) OpenDialog(button, dialog string) {
	s.T.Helper()
	s.Click(button)
	s.WaitFor(fmt.Sprintf("document.querySelector(%q)", dialog+"[open]"))
}

// CloseDialog closes a dialog, like Escape.
func (s *Studio) CloseDialog(dialog string) {
	s.T.Helper()
	s.Eval(fmt.Sprintf("document.querySelector(%q).close()", dialog))
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
		browsertest.Call(s.Browser, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points})
	}
	send(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	return func() { send(input.DispatchTouchEventTypeTouchEnd) }
}

// Name types a class's name.
func (s *Studio) Name(class int, text string) {
	s.T.Helper()
	s.Type(Card(class)+" input.name", text)
}

// Give adds files to a class with its file chooser.
func (s *Studio) Give(class int, files ...string) {
	s.T.Helper()
	s.Upload(Card(class)+" input[type=file]", files...)
}

// Hold holds a class's capture button until the class has n examples.
func (s *Studio) Hold(class, n int) {
	s.T.Helper()
	release := s.Press(Card(class) + " .capture")
	s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= %d", Card(class)+" .thumbnail", n))
	release()
	s.WaitFor(`!document.querySelector(".card.held")`)
}

// Drop drops files on an element.
func (s *Studio) Drop(selector string, files ...string) {
	s.T.Helper()
	s.Carry(selector, files...)()
}

// Carry holds dragged files over an element; drop drops them.
func (s *Studio) Carry(selector string, files ...string) (drop func()) {
	s.T.Helper()
	s.ScrollTo(selector)
	x, y := s.Center(selector)
	const copies = 1
	send := func(step input.DispatchDragEventType) {
		browsertest.Call(s.Browser, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: step, X: x, Y: y,
			Data: &input.DragData{Files: files, Items: []*input.DragDataItem{}, DragOperationsMask: copies},
		})
	}
	send(input.DispatchDragEventTypeDragEnter)
	send(input.DispatchDragEventTypeDragOver)
	return func() { send(input.DispatchDragEventTypeDrop) }
}

// Hear opens the page for sounds.
func (s *Studio) Hear() {
	s.T.Helper()
	s.Ready()
	s.Click("#hear")
	s.WaitFor(`document.querySelector("#heard") && !document.querySelector("[inert]")`)
	s.Ready()
}

// StartCamera starts the camera.
func (s *Studio) StartCamera() {
	s.T.Helper()
	s.Ready()
	s.Click("#start")
	s.WaitFor(`document.querySelector("video")?.videoWidth > 0 && document.querySelector("#frame")`)
}
