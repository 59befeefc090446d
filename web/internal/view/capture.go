package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// captureButton takes examples for as long as it is held: with a pointer, or
// with the space bar or Enter. A click that is neither, as screen readers make,
// takes one. Hands-free, a click takes examples for a while, and another one stops that.
func (c *Card) captureButton() app.UI {
	sign, _ := inputs(c.Kernel)
	text, title := c.Texts.Class.Hold, c.Texts.Class.HoldTitle
	if c.Free {
		text, title = c.Texts.Stage.Record, c.Texts.Stage.RecordTitle
		if c.Held {
			text, sign = c.Texts.Stage.StopRecording, ui.IconStop
		}
	}
	return app.Button().Type("button").
		ID(ui.CaptureID(c.Class.ID)).
		Class("capture", ui.When(!c.CameraOn, "off")).
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
		OnContextMenu(ui.PreventDefault). // A long touch is no question for a menu.
		Body(ui.Icon(sign), app.Text(text))
}

func (c *Card) press(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 || c.Free {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	c.Kernel.Capture.Hold(c.Class.ID)
}

func (c *Card) release(app.Context, app.Event) {
	if !c.Free && c.Kernel.Capture.Held() == c.Class.ID {
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
		c.Kernel.Capture.Record(c.Class.ID)
	case e.Get("detail").Int() == 0:
		c.Kernel.Capture.Hold(c.Class.ID)
		c.Kernel.Capture.Release()
	}
}

// inputs are where examples come from: the sign of the device, and the files that a
// field accepts.
func inputs(s *kernel.Kernel) (sign, accepts string) {
	if s.Project.OfSounds() {
		return ui.IconMicrophone, "audio/*,.mp3,.wav"
	}
	return ui.IconCamera, "image/*"
}

// Countdown says over the picture when a recording that needs no hand begins, when it
// ends, and what came of it; and has it read out.
type Countdown struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the recording.
func (c *Countdown) OnMount(ctx app.Context) { c.Watch(ctx, c.Kernel, c.Kernel.Capture) }

// Render shows large seconds before a recording, and small ones while it goes on.
func (c *Countdown) Render() app.UI {
	t, state := &c.Kernel.Texts().Stage, c.Kernel.Capture.State()
	class := c.class(state.ClassID)
	said, shown := "", ""
	switch {
	case state.Countdown > 0:
		said = t.BeginsIn(class.Label, c.Kernel.Capture.Settings().Countdown) // once, not every second
	case state.Left > 0:
		said = t.Records(class.Label)
		shown = said + " · " + t.Seconds(state.Left)
	case state.Recorded != nil:
		class = c.class(state.Recorded.ClassID)
		said = t.Recorded(class.Label, state.Recorded.Examples)
		shown = said
	}
	return app.Div().Class("countdown", ui.Hue(class)).Body(
		app.If(state.Countdown > 0, app.P().Class("seconds").Aria("hidden", true).Text(fmt.Sprint(state.Countdown))),
		app.If(shown != "", app.P().Class("chip", ui.When(state.Left > 0, "live")).Aria("hidden", true).Text(shown)),
		app.P().Class("said").Role("status").Text(said),
	)
}

// class is the class with an id; one of nothing may not have begun.
func (c *Countdown) class(id string) kernel.Class {
	class, _ := c.Kernel.Classes.Find(id)
	return class
}

// EmptyScene is the button that takes examples of the empty scene.
type EmptyScene struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the recording.
func (e *EmptyScene) OnMount(ctx app.Context) { e.Watch(ctx, e.Kernel, e.Kernel.Capture) }

// Render shows the button.
func (e *EmptyScene) Render() app.UI {
	t := &e.Kernel.Texts().Stage
	class, _ := e.Kernel.Classes.Find(e.Kernel.Capture.Held())
	return app.Button().Type("button").ID("empty-scene").Class("plain").
		Aria("label", t.Empty).Title(t.EmptyTitle).Aria("pressed", class.Nothing).
		OnClick(e.record).Body(ui.Icon(ui.IconEmpty))
}

func (e *EmptyScene) record(app.Context, app.Event) { e.Kernel.Capture.RecordEmpty() }
