package ui

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// Dialogs are what opens over the page. Each is drawn when it is opened for the first time:
// a slow device has better things to do while the page starts.
type Dialogs struct {
	app.Compo
	Page *Page

	drawn []string // their ids
}

// opening is the action of opening a dialog; its value is the id.
const opening = "open dialog"

// OpenDialog opens a dialog over the page, once it is drawn.
func OpenDialog(ctx app.Context, id string) { ctx.NewActionWithValue(opening, id) }

// OnMount starts to open dialogs.
func (d *Dialogs) OnMount(ctx app.Context) {
	ctx.Handle(opening, func(ctx app.Context, a app.Action) {
		id := a.Value.(string)
		open := func(app.Context) { browser.OpenDialog(id) }
		if slices.Contains(d.drawn, id) {
			ctx.Defer(open)
			return
		}
		d.drawn = append(d.drawn, id)
		// It is drawn in the next frame, and learns of that before the one after it.
		ctx.Defer(func(ctx app.Context) { ctx.Defer(open) })
	})
}

// Render draws the dialogs that were opened, in the order of that: those that are there stay
// what they are.
func (d *Dialogs) Render() app.UI {
	var drawn []app.UI
	for _, id := range d.drawn {
		drawn = append(drawn, d.Page.Open(id))
	}
	return app.Div().Class("dialogs").Body(drawn...)
}

// Dialog returns a dialog of settings: a header with the title and a button that closes it, and
// its parts.
func Dialog(id, class, title, closeLabel string, parts ...app.UI) app.UI {
	closeDialog := func(app.Context, app.Event) { browser.CloseDialog(id) }
	return app.Dialog().ID(id).Class("settings", class).Aria("labelledby", id+"-title").Body(
		app.Header().Body(
			app.H2().ID(id+"-title").Text(title),
			app.Button().Type("button").Class("quiet").Aria("label", closeLabel).OnClick(closeDialog).Body(Icon(IconClose)),
		),
		app.Div().Class("parts").Body(parts...),
	)
}
