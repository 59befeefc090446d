// Package template is a feature to copy. It shows the number of examples below the classes.
package template

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	view := func() app.UI { return app.P().ID("template").Text(k.Classes.Examples()) }
	page.Show(ui.Below, ui.Follow(k, view, k.Classes))
}
