// Package template is a feature to copy. It shows the number of examples below the classes.
package template

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Below, func() app.UI { return &View{watching: ui.Watches(k, k.Classes)} })
}

// View shows the number of examples. It follows the classes.
type View struct {
	app.Compo
	watching
}

// Render shows the number.
func (v *View) Render() app.UI { return app.P().ID("template").Text(v.Kernel.Classes.Examples()) }
