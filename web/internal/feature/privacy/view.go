// Package privacy is the feature that lists, while the page is used, all data that leaves the device.
package privacy

import (
	"sync"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

const dialogID = "privacy"

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Foot, func() app.UI {
		return app.Button().Type("button").ID("open-privacy").Aria("haspopup", "dialog").OnClick(ui.Opens(dialogID)).Text(k.Texts().Privacy.Title)
	})
	p := &privacy{K: k}
	watch := sync.OnceFunc(p.watch) // nothing is observed before
	page.Dialog(dialogID, ui.WhileShown(func(bool) { watch() }, k, p.dialog, p))
}

// outgoing counts the data that left the page since it was opened.
type outgoing struct {
	Files     int      // of the page itself that it has loaded
	Elsewhere []string // other addresses that it requested
	Stopped   []string // addresses that the browser blocked
	Messages  int      // to the embedding page
	Lines     int      // to a serial device
	Guarded   bool     // the browser blocks requests to other addresses
}

// privacy is the data that the dialog lists.
type privacy struct {
	kernel.Part
	seen outgoing
}

// watch counts the data that has left the page.
func (p *privacy) watch() {
	go func() {
		script, err := browser.Await(browser.Studio.Call("outgoing"))
		if err != nil {
			return
		}
		look := func([]browser.Value) {
			if seen, err := browser.Read[outgoing](script); err == nil {
				p.Update(func() { p.seen = seen })
			}
		}
		script.Set("onchange", browser.Callback(look))
		look(nil)
	}()
}

// dialog shows the list, and the reasons why it is empty.
func (p *privacy) dialog() app.UI {
	t, seen := &p.K.Texts().Privacy, kernel.Get(&p.Part, &p.seen)
	var left []app.UI
	row := func(text string) { left = append(left, app.Li().Text(text)) }
	for _, address := range seen.Elsewhere {
		row(t.Elsewhere(address))
	}
	if seen.Messages > 0 {
		row(t.Messages(seen.Messages))
	}
	if seen.Lines > 0 {
		row(t.Lines(seen.Lines))
	}
	answer, none := t.This, len(left) == 0
	if none {
		answer = t.Nothing
	}
	for _, address := range seen.Stopped {
		row(t.Stopped(address))
	}
	return ui.Dialog(p.K.Texts(), dialogID, "privacy", t.Title,
		app.Div().Class("left").Role("status").Body(
			app.Strong().Text(answer),
			app.If(len(left) > 0, app.Ul().Body(left...)),
			app.If(len(left) == 0, app.P().Text(t.Empty)),
		),
		app.P().Text(t.Stays),
		app.P().Class("note").Text(t.Loaded(seen.Files, browser.Location.Get("host").String())),
		app.If(seen.Guarded, app.P().Class("note").Text(t.Guarded)),
	)
}
