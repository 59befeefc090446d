package install

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	i := &Installation{Part: kernel.Part{K: k}}
	i.connect()
	page.Show(ui.Groups, func() app.UI { return &Group{watching: ui.Watches(i.K, i), Installation: i} })
}

// Group is the group of settings about the installation.
type Group struct {
	app.Compo
	watching
	Installation *Installation
}

// Render reports whether the page works offline, and offers to install it if the browser can.
func (i *Group) Render() app.UI {
	t, state := &i.Installation.K.Texts().Settings, i.Installation.State()
	text := t.NeedsNetwork
	if state.Kept {
		text = t.WithoutNetwork
	}
	return app.FieldSet().Body(
		app.Legend().Text(t.Device),
		app.P().Class("note").Text(text),
		app.If(state.Installable, app.Button().Type("button").Class("plain").ID("install").
			OnClick(i.install).Body(ui.Icon(ui.IconPlus), app.Text(t.Install))),
	)
}

func (i *Group) install(app.Context, app.Event) { install() }
