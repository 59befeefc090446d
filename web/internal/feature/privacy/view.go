// Package privacy is the feature that lists, while the page is used, all data that leaves the device.
package privacy

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// dialogID is the id of the dialog.
const dialogID = "privacy"

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Foot, func() app.UI {
		return app.Button().Type("button").ID("open-privacy").Aria("haspopup", "dialog").OnClick(ui.Opens(dialogID)).Text(k.Texts().Privacy.Title)
	})
	page.Dialog(dialogID, func() app.UI { return &Dialog{Kernel: k} })
}

// outgoing counts the data that left the page since it was opened.
type outgoing struct {
	Files     int      // of the page itself that it has loaded
	Elsewhere []string // other addresses that it requested
	Stopped   []string // addresses that the browser blocked
	Messages  int      // to the embedding page
	Lines     int      // to a serial device
	Guarded   bool     // the browser restricts the page to its own address
}

// Dialog is the dialog with the list.
type Dialog struct {
	app.Compo
	watching
	Kernel *kernel.Kernel

	opened bool // nothing is observed before
	seen   outgoing
}

// OnMount starts to follow the language.
func (p *Dialog) OnMount(ctx app.Context) {
	p.Watch(ctx, p.Kernel)
	p.Also(browser.WhenOpened(ctx.JSSrc(), func() {
		if p.opened {
			return
		}
		p.opened = true
		watchOutgoing(func(seen outgoing) {
			ctx.Dispatch(func(app.Context) { p.seen = seen })
		})
	}))
}

// Render shows the list, and the reasons why it is empty.
func (p *Dialog) Render() app.UI {
	t := &p.Kernel.Texts().Privacy
	var left []app.UI
	row := func(text string) { left = append(left, app.Li().Text(text)) }
	for _, address := range p.seen.Elsewhere {
		row(t.Elsewhere(address))
	}
	if p.seen.Messages > 0 {
		row(t.Messages(p.seen.Messages))
	}
	if p.seen.Lines > 0 {
		row(t.Lines(p.seen.Lines))
	}
	answer, none := t.This, len(left) == 0
	if none {
		answer = t.Nothing
	}
	for _, address := range p.seen.Stopped {
		row(t.Stopped(address))
	}
	return ui.Dialog(dialogID, "privacy", t.Title, t.Close,
		app.Div().Class("left").Role("status").Body(
			app.Strong().Text(answer),
			app.If(len(left) > 0, app.Ul().Body(left...)),
			app.If(len(left) == 0, app.P().Text(t.Empty)),
		),
		app.P().Text(t.Stays),
		app.P().Class("note").Text(t.Loaded(p.seen.Files, host())),
		app.If(p.seen.Guarded, app.P().Class("note").Text(t.Guarded)),
	)
}
