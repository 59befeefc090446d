package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// captureButton takes examples while it is held with a pointer, the space bar or Enter. A click
// without either, as from screen readers, takes one. If the kernel reacts to clicks, every click
// goes there.
func (c *Card) captureButton() app.UI {
	sign, _ := inputs(c.Kernel)
	text, title := c.Texts.Class.Hold, c.Texts.Class.HoldTitle
	if c.Free {
		text, title = c.Texts.Stage.Record, c.Texts.Stage.RecordTitle
		if c.Held {
			text, sign = c.Texts.Stage.StopRecording, ui.IconStop
		}
	}
	return ui.Button("capture", ui.CaptureID(c.Class.ID), sign, text).
		Class(ui.When(!c.CameraOn, "off")).
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
		OnContextMenu(ui.PreventDefault) // a long touch opens no menu
}

func (c *Card) press(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 || c.Free {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	c.Kernel.Capture.Hold(c.Class.ID)
}

func (c *Card) release(app.Context, app.Event) {
	if !c.Free && c.Kernel.Capture.Class() == c.Class.ID {
		c.Kernel.Capture.Release()
	}
}

func (c *Card) keyDown(_ app.Context, e app.Event) {
	if !ui.Holds(e) || c.Free {
		return
	}
	e.PreventDefault()
	if !e.Get("repeat").Bool() {
		c.Kernel.Capture.Hold(c.Class.ID)
	}
}

func (c *Card) keyUp(ctx app.Context, e app.Event) {
	if ui.Holds(e) && !c.Free {
		e.PreventDefault()
		c.release(ctx, e)
	}
}

func (c *Card) click(_ app.Context, e app.Event) {
	switch {
	case c.Free:
		c.Kernel.Capture.Click()(c.Class.ID)
	case e.Get("detail").Int() == 0:
		c.Kernel.Capture.Hold(c.Class.ID)
		c.Kernel.Capture.Release()
	}
}

// inputs returns the icon of the input device, and the files that a field accepts.
func inputs(s *kernel.Kernel) (sign, accepts string) {
	if s.Project.OfSounds() {
		return ui.IconMicrophone, "audio/*,.mp3,.wav"
	}
	return ui.IconCamera, "image/*,video/*"
}
