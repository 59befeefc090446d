package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// PrivacyID is the id of the dialog that shows what leaves the device.
const PrivacyID = "privacy"

// Privacy is the dialog that shows, while the page is used, what leaves the device: an empty list.
type Privacy struct {
	app.Compo
	watching
	Kernel *kernel.Kernel

	opened bool // once: before that nothing is looked at
	seen   browser.Outgoing
}

// OnMount starts to follow the language.
func (p *Privacy) OnMount(ctx app.Context) {
	p.Watch(ctx, p.Kernel)
	p.Also(browser.WhenOpened(ctx.JSSrc(), func() {
		if p.opened {
			return
		}
		p.opened = true
		browser.WatchOutgoing(func(seen browser.Outgoing) {
			ctx.Dispatch(func(app.Context) { p.seen = seen })
		})
	}))
}

// Render shows the list, and what keeps it empty.
func (p *Privacy) Render() app.UI {
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
		row(t.Stopped(address)) // It has not left.
	}
	return app.Dialog().ID(PrivacyID).Class("settings", "privacy").Aria("labelledby", "privacy-title").Body(
		app.Header().Body(
			app.H2().ID("privacy-title").Text(t.Title),
			app.Button().Type("button").Class("quiet").Aria("label", t.Close).OnClick(p.close).Body(ui.Icon(ui.IconClose)),
		),
		app.Div().Class("parts").Body(
			app.Div().Class("left").Role("status").Body(
				app.Strong().Text(answer),
				app.If(len(left) > 0, app.Ul().Body(left...)),
				app.If(len(left) == 0, app.P().Text(t.Empty)),
			),
			app.P().Text(t.Stays),
			app.P().Class("note").Text(t.Loaded(p.seen.Files, browser.Host())),
			app.If(p.seen.Guarded, app.P().Class("note").Text(t.Guarded)),
		),
	)
}

func (p *Privacy) close(app.Context, app.Event) { browser.CloseDialog(PrivacyID) }
