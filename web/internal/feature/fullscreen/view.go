// Package fullscreen is the feature that shows the picture and the answer on the whole
// screen, large enough to read across a classroom.
package fullscreen

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add brings the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Tools, func() app.UI {
		// Safari on iPhones shows only videos on the whole screen.
		if !app.IsClient || !document().Get("fullscreenEnabled").Truthy() {
			return nil
		}
		t := &k.Texts().Stage
		return ui.Tool("full-screen", ui.IconFullScreen, t.FullScreen, t.FullScreen, t.FullScreen).OnClick(toggle)
	})
}

func toggle(app.Context, app.Event) {
	if document().Get("fullscreenElement").Truthy() {
		document().Call("exitFullscreen")
		return
	}
	document().Call("querySelector", ".look").Call("requestFullscreen")
}

func document() app.Value { return app.Window().Get("document") }
