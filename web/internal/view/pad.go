package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// padSide is the side of the pad in pixels: four times that of the pictures it makes.
const padSide = 420

// Pad lets pupils draw on the stage, over what is shown there, while a lesson wants it.
type Pad struct {
	app.Compo
	watching
	Session *session.Session

	box   app.Value
	pad   *browser.Pad
	drawn bool // something is on it
}

// OnMount starts to follow the lesson.
func (p *Pad) OnMount(ctx app.Context) {
	p.box = ctx.JSSrc()
	p.watch(ctx, p.Session, p.Session.Lesson)
	p.cancel = append(p.cancel, p.Session.Lesson.Watch(p.follow))
}

// Render shows the pad or nothing.
func (p *Pad) Render() app.UI {
	t, state := &p.Session.Texts().Lessons, p.Session.Lesson.State()
	return app.Div().Class("pad", when(!state.Drawing, "hidden")).Body(
		app.P().Class(when(state.Drawn != nil, "hidden")).Text(t.PadHint),
		app.Canvas().Width(padSide).Height(padSide).Role("img").Aria("label", t.Pad),
	)
}

// follow lets people draw once they want to, and wipes away what they have done with.
func (p *Pad) follow() {
	state := p.Session.Lesson.State()
	if state.Drawing && p.pad == nil {
		p.pad = browser.OpenPad(p.box.Get("lastElementChild"), func(drawn session.Source) {
			p.Session.Lesson.Drew(&session.File{Name: p.Session.Texts().Lessons.Drawing, Source: drawn})
		})
	}
	before := p.drawn
	if p.drawn = state.Drawn != nil; before && !p.drawn {
		p.pad.Wipe()
	}
}
