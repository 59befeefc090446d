package install

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	i := &Installation{Part: kernel.Part{K: k}}
	i.connect()
	page.Show(ui.Groups, ui.Follow(k, i.view, i))
}

// view reports whether the page works offline, and offers to install it if the browser can.
func (i *Installation) view() app.UI {
	t, state := &i.K.Texts().Settings, i.State()
	text := t.NeedsNetwork
	if state.Kept {
		text = t.WithoutNetwork
	}
	return app.FieldSet().Body(
		app.Legend().Text(t.Device),
		app.P().Class("note").Text(text),
		app.If(state.Installable, ui.Button("plain", "install", ui.IconPlus, t.Install).OnClick(ui.Do(install))),
	)
}
