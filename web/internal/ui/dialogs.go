package ui

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Dialogs holds the open and closed dialogs. Each is drawn when it is first opened, so that the
// page starts faster.
type Dialogs struct {
	app.Compo
	Page *Page

	drawn []string // their ids
}

// opening is the action that opens a dialog; its value is the id.
const opening = "open dialog"

// OpenDialog opens a dialog, after drawing it if necessary.
func OpenDialog(ctx app.Context, id string) { ctx.NewActionWithValue(opening, id) }

// Opens returns the handler of an OnClick that opens a dialog instead of others, and its scope.
func Opens(id string, closes ...string) (handler app.EventHandler, identity any) {
	return func(ctx app.Context, _ app.Event) {
		for _, other := range closes {
			browser.CloseDialog(other)
		}
		OpenDialog(ctx, id)
	}, id
}

// OnMount starts to handle the action.
func (d *Dialogs) OnMount(ctx app.Context) {
	ctx.Handle(opening, func(ctx app.Context, a app.Action) {
		id := a.Value.(string)
		open := func(app.Context) { browser.OpenDialog(id) }
		if slices.Contains(d.drawn, id) {
			ctx.Defer(open)
			return
		}
		d.drawn = append(d.drawn, id)
		// The dialog is drawn in the next frame and mounted before the one after it.
		ctx.Defer(func(ctx app.Context) { ctx.Defer(open) })
	})
}

// Render draws the dialogs in the order in which they were first opened, so that existing ones
// keep their elements.
func (d *Dialogs) Render() app.UI {
	var drawn []app.UI
	for _, id := range d.drawn {
		drawn = append(drawn, d.Page.Open(id))
	}
	return app.Div().Class("dialogs").Body(drawn...)
}

// Dialog returns a dialog of settings: a header with the title and a button that closes it, and
// its parts.
func Dialog(t *texts.Texts, id, class, title string, parts ...app.UI) app.UI {
	closeDialog := func(app.Context, app.Event) { browser.CloseDialog(id) }
	return app.Dialog().ID(id).Class("settings", class).Aria("labelledby", id+"-title").Body(
		app.Header().Body(
			app.H2().ID(id+"-title").Text(title),
			app.Button().Type("button").Class("quiet").Aria("label", t.Page.Close).OnClick(closeDialog).Body(Icon(IconClose)),
		),
		app.Div().Class("parts").Body(parts...),
	)
}
