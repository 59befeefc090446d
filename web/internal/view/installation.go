package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Installation is the group of settings about the page as a program on this device.
type Installation struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow how far the page is at home.
func (i *Installation) OnMount(ctx app.Context) { i.watch(ctx, i.Session, i.Session.Installation) }

// Render says whether the page needs the network, and offers to install it where
// the browser can.
func (i *Installation) Render() app.UI {
	t, state := &i.Session.Texts().Settings, i.Session.Installation.State()
	text := t.NeedsNetwork
	if state.Kept {
		text = t.WithoutNetwork
	}
	return app.FieldSet().Body(
		app.Legend().Text(t.Device),
		app.P().Class("note").Text(text),
		app.If(state.Installable, app.Button().Type("button").Class("plain").ID("install").
			OnClick(i.install).Body(icon(iconPlus), app.Text(t.Install))),
	)
}

func (i *Installation) install(app.Context, app.Event) { browser.Install() }
