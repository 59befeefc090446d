package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawMessages shows the notices, which screen readers announce.
func (s *Studio) drawMessages() app.UI {
	var notices []app.UI
	for _, n := range s.Kernel.Notices.List() {
		notices = append(notices, s.message(n))
	}
	return app.Div().ID("messages").TabIndex(-1).Class("messages").Aria("live", "polite").Body(notices...)
}

// message shows a notice with its button and its examples.
func (s *Studio) message(n kernel.Notice) app.UI {
	t := &s.Kernel.Texts().Notice
	var pictures []app.UI
	for _, id := range n.Examples {
		pictures = append(pictures, ui.ExamplePicture(id))
	}
	stay := func(app.Context, app.Event) { s.Kernel.Notices.Stay(n.Key) }
	act := func() {
		n.Offer.Do()
		if n.Offer.Focus != "" {
			s.focusIn(n.Offer.Focus, ui.CaptureID)
		}
	}
	dismiss := func() { s.Kernel.Notices.Dismiss(n.Key) }
	return app.Div().Class("message", string(n.Kind)).DataSet("key", n.Key).On("focusin", stay, n.Key).Body(
		app.Div().Body(
			app.Strong().Text(n.Title),
			app.P().Text(n.Text),
			app.If(n.Detail != "", app.Details().Body(
				app.Summary().Text(t.Detail),
				app.P().Lang("en").Text(n.Detail),
			)),
		),
		app.If(n.Offer != nil, ui.Button("plain", "", "", n.Button).OnClick(ui.Do(act, n.Key, n.Offer))),
		app.Button().Type("button").Class("quiet").Aria("label", t.Dismiss).
			OnClick(ui.Do(dismiss, n.Key)).Body(ui.Icon(ui.IconClose)),
		app.If(len(pictures) > 0, app.Div().Class("pictures").Body(pictures...)),
	)
}
