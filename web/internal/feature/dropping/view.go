// Package dropping is the feature that shows, while files are dragged over the page, where they can
// be dropped.
package dropping

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Foot, func() app.UI { return &View{kernel: k} })
}

// View is the hint for the whole page. The other targets have theirs as attributes, which the style
// sheet shows.
type View struct {
	app.Compo
	kernel *kernel.Kernel
}

// OnMount starts to follow files that are dragged, for the life of the page.
func (v *View) OnMount(app.Context) {
	marks := app.Window().Get("document").Get("body").Get("classList")
	for event, over := range map[string]bool{"dragenter": true, "dragleave": false, "drop": false} {
		app.Window().AddEventListener(event, func(_ app.Context, e app.Event) {
			if event == "dragleave" && e.Get("relatedTarget").Truthy() { // to another element of the page
				return
			}
			marks.Call("toggle", "dragging", over && e.Get("dataTransfer").Get("types").Call("includes", "Files").Bool())
		})
	}
}

// Render shows the hint.
func (v *View) Render() app.UI {
	return app.Div().Class("drop-anywhere").Aria("hidden", true).Text(v.kernel.Texts().Bring.DropPage)
}
