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
	cancel []func()
	over   bool
}

// OnMount starts to follow files that are dragged.
func (v *View) OnMount(app.Context) {
	for event, over := range map[string]bool{"dragenter": true, "dragleave": false, "drop": false} {
		v.cancel = append(v.cancel, app.Window().AddEventListener(event, func(_ app.Context, e app.Event) {
			if event == "dragleave" && e.Get("relatedTarget").Truthy() { // to another element of the page
				return
			}
			v.show(over && e.Get("dataTransfer").Get("types").Call("includes", "Files").Bool())
		}))
	}
}

// OnDismount ends that.
func (v *View) OnDismount() {
	for _, cancel := range v.cancel {
		cancel()
	}
}

func (v *View) show(over bool) {
	if v.over != over {
		v.over = over
		app.Window().Get("document").Get("body").Get("classList").Call("toggle", "dragging", over)
	}
}

// Render shows the hint.
func (v *View) Render() app.UI {
	return app.Div().Class("drop-anywhere").Aria("hidden", true).Text(v.kernel.Texts().Bring.DropPage)
}
