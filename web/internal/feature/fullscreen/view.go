// Package fullscreen is the feature that shows the picture and the answer on the whole
// screen, large enough to read across a classroom.
package fullscreen

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add brings the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Tools, func() app.UI {
		// Safari on iPhones shows only videos on the whole screen.
		if !browser.Document.Get("fullscreenEnabled").Truthy() {
			return nil
		}
		t := &k.Texts().Stage
		return ui.Tool("full-screen", ui.IconFullScreen, t.FullScreen, t.FullScreen, t.FullScreen).OnClick(ui.Do(func() { toggle(k.Notices) }))
	})
}

func toggle(notices *kernel.Notices) {
	const key = "full-screen"
	notices.Dismiss(key)
	if browser.Document.Get("fullscreenElement").Truthy() {
		browser.Document.Call("exitFullscreen")
		return
	}
	filled := browser.Document.Call("querySelector", ".look").Call("requestFullscreen")
	go func() {
		if err := browser.Wait(filled); err != nil {
			notices.Post(kernel.Warn(key, err, func(t *texts.Texts) (title, text string) {
				return t.Stage.NoFullScreen, t.Stage.NoFullScreenRemedy
			}))
		}
	}()
}
