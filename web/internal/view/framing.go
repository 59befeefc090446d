package view

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// frameID is the id of the button that opens the frame.
const frameID = "frame"

// What a key does to the frame: the share of it that an arrow moves, and how many times
// as large one step of the zoom shows things.
const (
	frameStep = .08
	zoomStep  = 1.15
)

// framed has what shows the camera's picture follow fingers, the wheel and keys.
func (s *Stage) framed(view app.HTMLDiv) app.HTMLDiv {
	return view.TabIndex(0).Role("application").Aria("label", s.Kernel.Texts().Stage.FrameHelp).
		On("pointerdown", s.frameDown).On("pointermove", s.frameMove).
		On("pointerup", s.frameUp).On("pointercancel", s.frameUp).
		On("wheel", s.frameWheel).OnKeyDown(s.frameKey)
}

// framePanel is what else there is to choose of the frame.
func (s *Stage) framePanel() app.UI {
	t, frame := s.Kernel.Texts(), s.Kernel.Framing.State()
	mirrored := s.Kernel.Framing.Mirrored(s.Kernel.Camera.State().Device)
	return app.Div().Class("frame-panel").Role("group").Aria("label", t.Stage.Frame).Body(
		app.P().Text(t.Stage.FrameHelp),
		app.Label().Class("zoom").Body(
			app.Span().Text(t.Stage.Zoom),
			app.Input().Type("range").ID("zoom").Min(1).Max(project.MaxZoom).Step(.05).
				Value(frame.Zoom).Aria("valuetext", t.Stage.Times(t.Decimal(frame.Zoom, 1))).
				OnInput(s.zoom),
		),
		app.Label().Class("tick").Body(
			app.Input().Type("checkbox").ID("mirror").Checked(mirrored).OnChange(s.mirror),
			app.Span().Text(t.Stage.Mirror),
		),
		app.Button().Type("button").ID("frame-reset").Class("plain").Text(t.Stage.Whole).OnClick(s.resetFrame),
		app.Button().Type("button").ID("frame-done").Class("primary").Text(t.Stage.Done).OnClick(s.closeFrame),
	)
}

func (s *Stage) toggleFrame(ctx app.Context, e app.Event) {
	if s.framing {
		s.closeFrame(ctx, e)
		return
	}
	s.framing, s.gesture = true, gesture{}
	ctx.Defer(func(app.Context) { browser.Focus(viewID) })
}

// closeFrame leaves the frame, for the button that opens it.
func (s *Stage) closeFrame(app.Context, app.Event) {
	browser.Focus(frameID) // before what has the focus goes
	s.framing = false
}

func (s *Stage) resetFrame(app.Context, app.Event) { s.Kernel.Framing.Reset() }

func (s *Stage) zoom(ctx app.Context, _ app.Event) {
	s.Kernel.Framing.SetZoom(ctx.JSSrc().Get("valueAsNumber").Float())
}

func (s *Stage) mirror(ctx app.Context, _ app.Event) {
	s.Kernel.Framing.Mirror(ctx.JSSrc().Get("checked").Bool())
}

// frameDown begins to drag, or with a second finger to pinch.
func (s *Stage) frameDown(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	s.gesture.press(e.Get("pointerId").Int(), s.placeIn(ctx, e))
}

func (s *Stage) frameUp(_ app.Context, e app.Event) { s.gesture.lift(e.Get("pointerId").Int()) }

func (s *Stage) frameMove(ctx app.Context, e app.Event) {
	move, ok := s.gesture.move(e.Get("pointerId").Int(), s.placeIn(ctx, e))
	if !ok {
		return
	}
	mirrored := s.mirrored()
	s.Kernel.Framing.Move(move.by.X, move.by.Y, mirrored)
	if move.times != 1 {
		s.Kernel.Framing.Zoom(move.times, move.about.X, move.about.Y, mirrored)
	}
}

// frameWheel zooms where the mouse is. Trackpads send pinches as turns of the wheel.
func (s *Stage) frameWheel(ctx app.Context, e app.Event) {
	e.PreventDefault()
	by := e.Get("deltaY").Float()
	if e.Get("deltaMode").Int() != 0 { // in lines
		by *= 16
	}
	at := s.placeIn(ctx, e)
	s.Kernel.Framing.Zoom(math.Exp(-by/500), at.X, at.Y, s.mirrored())
}

func (s *Stage) frameKey(ctx app.Context, e app.Event) {
	framing := s.Kernel.Framing
	name := e.Get("key").String()
	switch direction, arrow := ui.Arrows[name]; {
	case arrow: // The frame goes where the arrow points.
		framing.Move(-frameStep*float64(direction[0]), -frameStep*float64(direction[1]), s.mirrored())
	case name == "+" || name == "=":
		framing.Zoom(zoomStep, 0, 0, false)
	case name == "-":
		framing.Zoom(1/zoomStep, 0, 0, false)
	case name == "0":
		framing.Reset()
	case name == "Escape":
		s.closeFrame(ctx, e)
	default:
		return
	}
	e.PreventDefault()
}

func (s *Stage) mirrored() bool {
	return s.Kernel.Framing.Mirrored(s.Kernel.Camera.State().Device)
}

// placeIn is where an event happens, in shares of the element's sides from its middle.
func (s *Stage) placeIn(ctx app.Context, e app.Event) browser.Point {
	box := ctx.JSSrc().Call("getBoundingClientRect")
	share := func(at, from, side string) float64 {
		return (e.Get(at).Float()-box.Get(from).Float())/box.Get(side).Float() - .5
	}
	return browser.Point{X: share("clientX", "left", "width"), Y: share("clientY", "top", "height")}
}
