package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Countdown says over the picture when a recording that needs no hand begins, when it
// ends, and what came of it; and has it read out.
type Countdown struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the recording.
func (c *Countdown) OnMount(ctx app.Context) { c.watch(ctx, c.Session, c.Session.Capture) }

// Render shows large seconds before a recording, and small ones while it goes on.
func (c *Countdown) Render() app.UI {
	t, state := &c.Session.Texts().Stage, c.Session.Capture.State()
	class := c.class(state.ClassID)
	said, shown := "", ""
	switch {
	case state.Countdown > 0:
		said = t.BeginsIn(class.Label, c.Session.Capture.Settings().Countdown) // once, not every second
	case state.Left > 0:
		said = t.Records(class.Label)
		shown = said + " · " + t.Seconds(state.Left)
	case state.Recorded != nil:
		class = c.class(state.Recorded.ClassID)
		said = t.Recorded(class.Label, state.Recorded.Examples)
		shown = said
	}
	return app.Div().Class("countdown", hue(class)).Body(
		app.If(state.Countdown > 0, app.P().Class("seconds").Aria("hidden", true).Text(fmt.Sprint(state.Countdown))),
		app.If(shown != "", app.P().Class("chip", when(state.Left > 0, "live")).Aria("hidden", true).Text(shown)),
		app.P().Class("said").Role("status").Text(said),
	)
}

// class is the class with an id; one of nothing may not have begun.
func (c *Countdown) class(id string) session.Class {
	class, _ := c.Session.Classes.Find(id)
	return class
}

// EmptyScene is the button that takes examples of the empty scene.
type EmptyScene struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the recording.
func (e *EmptyScene) OnMount(ctx app.Context) { e.watch(ctx, e.Session, e.Session.Capture) }

// Render shows the button.
func (e *EmptyScene) Render() app.UI {
	t := &e.Session.Texts().Stage
	class, _ := e.Session.Classes.Find(e.Session.Capture.Held())
	return app.Button().Type("button").ID("empty-scene").Class("plain").
		Aria("label", t.Empty).Title(t.EmptyTitle).Aria("pressed", class.Nothing).
		OnClick(e.record).Body(icon(iconEmpty))
}

func (e *EmptyScene) record(app.Context, app.Event) { e.Session.Capture.RecordEmpty() }
