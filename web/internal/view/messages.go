package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Messages shows the notices.
type Messages struct {
	app.Compo
	watching
}

// Render shows the notices, which screen readers announce.
func (m *Messages) Render() app.UI {
	var notices []app.UI
	for _, n := range m.Kernel.Notices.List() {
		notices = append(notices, &Message{List: m, Kernel: m.Kernel, Texts: m.Kernel.Texts(), Notice: n})
	}
	return app.Div().Class("messages").Aria("live", "polite").Body(notices...)
}

// Message is one notice.
type Message struct {
	app.Compo
	List   *Messages
	Kernel *kernel.Kernel
	Texts  *texts.Texts
	Notice kernel.Notice
}

// Render shows the notice with its button and its examples.
func (m *Message) Render() app.UI {
	n := m.Notice
	var pictures []app.UI
	for _, id := range n.Examples {
		pictures = append(pictures, &ui.ExamplePicture{ExampleID: id})
	}
	return app.Div().Class("message", kindClass[n.Kind]).DataSet("key", n.Key).Body(
		app.Div().Body(
			app.Strong().Text(n.Title),
			app.P().Text(n.Text),
			app.If(n.Detail != "", app.Details().Body(
				app.Summary().Text(m.Texts.Notice.Detail),
				app.P().Lang("en").Text(n.Detail),
			)),
		),
		app.If(n.Offer != nil, app.Button().Type("button").Class("plain").Text(n.Button).OnClick(m.act)),
		app.Button().Type("button").Class("quiet").Aria("label", m.Texts.Notice.Dismiss).OnClick(m.dismiss).Body(ui.Icon(ui.IconClose)),
		app.If(len(pictures) > 0, app.Div().Class("pictures").Body(pictures...)),
	)
}

var kindClass = map[kernel.Kind]string{
	kernel.Good: "good", kernel.News: "news", kernel.Warning: "warning", kernel.Trouble: "trouble",
}

func (m *Message) act(app.Context, app.Event) {
	m.Notice.Offer.Do()
	if focus := m.Notice.Offer.Focus; focus != "" {
		m.List.Focus(ui.CaptureID(focus))
	}
}

func (m *Message) dismiss(app.Context, app.Event) { m.Kernel.Notices.Dismiss(m.Notice.Key) }
