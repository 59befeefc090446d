package framing

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

const buttonID = "frame"

// Steps of the keyboard: the fraction of the frame's side that an arrow moves it, and the factor
// of one zoom step.
const (
	moveStep = .08
	zoomStep = 1.15
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	f := New(k)
	page.Decorate(f.decorate)
	page.Show(ui.Tools, f.button)
	page.Show(ui.Controls, f.panel)
}

// button opens and closes the frame, while a camera is on.
func (f *Framing) button() app.UI {
	if f.k.Camera.State().Stage != kernel.CameraOn {
		return nil
	}
	t := &f.k.Texts().Stage
	return ui.Tool(buttonID, ui.IconFrame, t.FrameShort, t.Frame, t.Frame).Aria("expanded", f.isOpen()).OnClick(f.toggle)
}

// shown reports whether the user is choosing the frame of a camera that is on.
func (f *Framing) shown() bool {
	return f.isOpen() && f.k.Camera.State().Stage == kernel.CameraOn && !f.k.Project.OfSounds()
}

// decorate makes the stage's view follow fingers, the wheel and keys while the frame is open.
func (f *Framing) decorate(view app.HTMLDiv) app.HTMLDiv {
	if !f.shown() {
		return view
	}
	return view.Class("framing").TabIndex(0).Role("application").Aria("label", f.k.Texts().Stage.FrameHelp).
		On("pointerdown", f.down).On("pointermove", f.move).
		On("pointerup", f.up).On("pointercancel", f.up).
		On("wheel", f.wheel).OnKeyDown(f.key)
}

// panel holds the zoom, the mirror and the buttons of the open frame.
func (f *Framing) panel() app.UI {
	if !f.shown() {
		return nil
	}
	t, frame := f.k.Texts(), f.k.Framing.State()
	return app.Div().Class("frame-panel").Role("group").Aria("label", t.Stage.Frame).Body(
		app.P().Text(t.Stage.FrameHelp),
		app.Label().Class("zoom").Body(
			app.Span().Text(t.Stage.Zoom),
			ui.Range(app.Input().ID("zoom").Min(1).Max(project.MaxZoom).Step(.05).
				Aria("valuetext", t.Stage.Times(t.Decimal(frame.Zoom, 1))).
				OnInput(f.zoom), frame.Zoom),
		),
		ui.Tick("mirror", t.Stage.Mirror, f.mirrored(), f.Mirror),
		ui.Button("plain", "frame-reset", "", t.Stage.Whole).OnClick(ui.Do(f.Reset)),
		ui.Button("primary", "frame-done", "", t.Page.Done).OnClick(ui.Do(f.close)),
	)
}

func (f *Framing) toggle(ctx app.Context, _ app.Event) {
	if f.isOpen() {
		f.close()
		return
	}
	f.gesture = gesture{}
	f.setOpen(true)
	ctx.Defer(func(app.Context) { browser.Focus(ui.ViewID) })
}

// close closes the frame and returns the focus to the button that opens it.
func (f *Framing) close() {
	browser.Focus(buttonID) // before the focused element disappears
	f.setOpen(false)
}

func (f *Framing) zoom(ctx app.Context, _ app.Event) {
	f.SetZoom(ctx.JSSrc().Get("valueAsNumber").Float())
}

// down starts a drag, or with a second finger a pinch.
func (f *Framing) down(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	f.gesture.press(e.Get("pointerId").Int(), place(ctx, e))
}

// up ends a drag. A tap moves its place to the middle, for people who cannot drag.
func (f *Framing) up(ctx app.Context, e app.Event) {
	if f.gesture.lift(e.Get("pointerId").Int()) && e.Get("type").String() == "pointerup" {
		at := place(ctx, e)
		f.Move(-at.X, -at.Y, f.mirrored())
	}
}

func (f *Framing) move(ctx app.Context, e app.Event) {
	moved, ok := f.gesture.move(e.Get("pointerId").Int(), place(ctx, e))
	if !ok {
		return
	}
	mirrored := f.mirrored()
	f.Move(moved.by.X, moved.by.Y, mirrored)
	if moved.factor != 1 {
		f.Zoom(moved.factor, moved.about.X, moved.about.Y, mirrored)
	}
}

// wheel zooms around the pointer. Trackpads send pinches as wheel events.
func (f *Framing) wheel(ctx app.Context, e app.Event) {
	e.PreventDefault()
	by := e.Get("deltaY").Float()
	if e.Get("deltaMode").Int() != 0 { // in lines
		by *= 16
	}
	at := place(ctx, e)
	f.Zoom(math.Exp(-by/500), at.X, at.Y, f.mirrored())
}

func (f *Framing) key(ctx app.Context, e app.Event) {
	name := e.Get("key").String()
	switch direction, arrow := ui.Arrows[name]; {
	case arrow:
		f.Move(-moveStep*float64(direction[0]), -moveStep*float64(direction[1]), f.mirrored())
	case name == "+" || name == "=":
		f.Zoom(zoomStep, 0, 0, false)
	case name == "-":
		f.Zoom(1/zoomStep, 0, 0, false)
	case name == "0":
		f.Reset()
	case name == "Escape":
		f.close()
	default:
		return
	}
	e.PreventDefault()
}

func (f *Framing) mirrored() bool {
	return f.k.Framing.Mirrored(f.k.Camera.State().Device)
}

// place returns the position of an event relative to the element's center, in fractions of its sides.
func place(ctx app.Context, e app.Event) browser.Point {
	box := ctx.JSSrc().Call("getBoundingClientRect")
	share := func(at, from, side string) float64 {
		return (e.Get(at).Float()-box.Get(from).Float())/box.Get(side).Float() - .5
	}
	return browser.Point{X: share("clientX", "left", "width"), Y: share("clientY", "top", "height")}
}
