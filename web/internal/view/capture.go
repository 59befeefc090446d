package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// captureButton takes examples for as long as it is held: with a pointer, or
// with the space bar or Enter. A click that is neither, as screen readers make,
// takes one. Hands-free, a click takes examples for a while, and another one stops that.
func (c *Card) captureButton() app.UI {
	sign, _ := inputs(c.Session)
	text, title := c.Texts.Class.Hold, c.Texts.Class.HoldTitle
	if c.Free {
		text, title = c.Texts.Stage.Record, c.Texts.Stage.RecordTitle
		if c.Held {
			text, sign = c.Texts.Stage.StopRecording, iconStop
		}
	}
	return app.Button().Type("button").
		ID(captureID(c.Class.ID)).
		Class("capture", when(!c.CameraOn, "off")).
		Aria("pressed", c.Held).
		Title(title).
		On("pointerdown", c.press).
		On("pointerup", c.release).
		On("pointercancel", c.release).
		On("lostpointercapture", c.release).
		OnKeyDown(c.keyDown).
		OnKeyUp(c.keyUp).
		OnBlur(c.release).
		OnClick(c.click).
		OnContextMenu(preventDefault). // A long touch is no question for a menu.
		Body(icon(sign), app.Text(text))
}

// captureID is the id of the button that takes examples of a class.
func captureID(classID string) string { return "capture-" + classID }

func (c *Card) press(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 || c.Free {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	c.Session.Capture.Hold(c.Class.ID)
}

func (c *Card) release(app.Context, app.Event) {
	if !c.Free && c.Session.Capture.Held() == c.Class.ID {
		c.Session.Capture.Release()
	}
}

func (c *Card) keyDown(_ app.Context, e app.Event) {
	if !holds(e) || c.Free {
		return
	}
	e.PreventDefault()
	if !e.Get("repeat").Bool() {
		c.Session.Capture.Hold(c.Class.ID)
	}
}

func (c *Card) keyUp(ctx app.Context, e app.Event) {
	if holds(e) && !c.Free {
		e.PreventDefault()
		c.release(ctx, e)
	}
}

func (c *Card) click(_ app.Context, e app.Event) {
	switch {
	case c.Free:
		c.Session.Capture.Record(c.Class.ID)
	case e.Get("detail").Int() == 0:
		c.Session.Capture.Hold(c.Class.ID)
		c.Session.Capture.Release()
	}
}

// holds reports whether a key event is of a key that holds a button down.
func holds(e app.Event) bool {
	key := e.Get("key").String()
	return key == " " || key == "Enter"
}

func preventDefault(_ app.Context, e app.Event) { e.PreventDefault() }

// inputs are where examples come from: the sign of the device, and the files that a
// field accepts.
func inputs(s *session.Session) (sign, accepts string) {
	if s.Project.OfSounds() {
		return iconMicrophone, "audio/*,.mp3,.wav"
	}
	return iconCamera, "image/*"
}
