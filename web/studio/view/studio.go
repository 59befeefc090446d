// Package view is what a person sees of the studio: go-app components that show
// the state of a session and pass on what the person does. They compute nothing
// and keep no state of their own but what is folded open. The same components
// render the page in the browser and, once at build time, the shell that is
// shown while the program is on its way.
package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"deepemd/web/studio/session"
)

// Studio is the whole page.
type Studio struct {
	app.Compo
	Session *session.Session
}

// Render lays the page out: what is seen and what it is taken for on one side,
// the classes on the other. The shell, in which nothing works yet, takes no
// clicks and no typing that would be lost.
func (s *Studio) Render() app.UI {
	page := app.Div().Class("studio")
	if app.IsServer {
		page.Attr("inert", true)
	}
	return page.Body(
		app.Header().Class("top").Body(
			app.Div().Class("brand").Body(
				logo(),
				app.Div().Body(
					app.H1().Text("DeepEMD"),
					app.P().Text("Show it a few examples. It tells them apart."),
				),
			),
			&Engine{Session: s.Session},
		),
		&Messages{Session: s.Session},
		app.Main().Body(
			app.Section().Class("look").Aria("label", "Camera and answer").Body(
				&Stage{Session: s.Session},
				&Answer{Session: s.Session},
			),
			&ClassList{Session: s.Session},
		),
		app.Footer().Body(
			app.P().Body(
				icon(iconLock),
				app.Text("Pictures stay on this device: they are looked at here, in your browser, and sent nowhere."),
			),
		),
	)
}

// watching re-renders its component when parts of the session change.
type watching struct{ cancel []func() }

// watch starts to re-render the context's component after changes of the topics.
func (w *watching) watch(ctx app.Context, s *session.Session, topics ...session.Topic) {
	for _, topic := range topics {
		w.cancel = append(w.cancel, s.Watch(topic, func() { ctx.Dispatch(nil) }))
	}
}

// OnDismount ends the watching.
func (w *watching) OnDismount() {
	for _, cancel := range w.cancel {
		cancel()
	}
	w.cancel = nil
}
