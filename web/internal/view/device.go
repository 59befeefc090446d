package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Device is the group of settings about the page as a program on this device.
type Device struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow how far the page is at home.
func (d *Device) OnMount(ctx app.Context) { d.watch(ctx, d.Session, d.Session.Installation) }

// Render says whether the page needs the network, and offers to install it where
// the browser can.
func (d *Device) Render() app.UI {
	t, state := &d.Session.Texts().Settings, d.Session.Installation.State()
	text := t.NeedsNetwork
	if state.Kept {
		text = t.WithoutNetwork
	}
	return app.FieldSet().Body(
		app.Legend().Text(t.Device),
		app.P().Class("note").Text(text),
		app.If(state.Installable, app.Button().Type("button").Class("plain").ID("install").
			OnClick(d.install).Body(icon(iconPlus), app.Text(t.Install))),
	)
}

func (d *Device) install(app.Context, app.Event) { browser.Install() }
