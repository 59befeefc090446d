package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Messages shows what happened and what to do about it.
type Messages struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the notices.
func (m *Messages) OnMount(ctx app.Context) { m.Watch(ctx, m.Kernel, m.Kernel.Notices) }

// Render shows the notices, which screen readers read out as they come.
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

// Render shows the notice with what it offers to do, and a way to put it away.
func (m *Message) Render() app.UI {
	n := m.Notice
	return app.Div().Class("message", kindClass[n.Kind]).DataSet("key", n.Key).Body(
		app.Div().Body(
			app.Strong().Text(n.Title),
			app.P().Text(n.Text),
			app.If(n.Detail != "", app.Details().Body(
				app.Summary().Text(m.Texts.Notice.Detail),
				app.P().Lang("en").Text(n.Detail),
			)),
		),
		app.If(n.Action != kernel.NoAction,
			app.Button().Type("button").Class("plain").Text(actionText(m.Texts, n.Action)).OnClick(m.act)),
		app.Button().Type("button").Class("quiet").Aria("label", m.Texts.Notice.Dismiss).OnClick(m.dismiss).Body(ui.Icon(ui.IconClose)),
	)
}

var kindClass = map[kernel.Kind]string{
	kernel.Good: "good", kernel.News: "news", kernel.Warning: "warning", kernel.Trouble: "trouble",
}

func actionText(t *texts.Texts, action kernel.Action) string {
	switch action {
	case kernel.ActionStartCamera:
		return t.Notice.StartCamera
	case kernel.ActionRetryEngine:
		return t.Notice.Retry
	case kernel.ActionReload:
		return t.Notice.Reload
	case kernel.ActionSaveAgain:
		return t.Project.SaveAgain
	case kernel.ActionRetrieveProject:
		return t.Project.Retrieve
	case kernel.ActionSend:
		return t.Project.SendNow
	case kernel.ActionUndo:
		return t.Project.Undo
	case kernel.ActionSmallNetwork:
		return t.Network.UseSmall
	case kernel.ActionUsualNetwork:
		return t.Network.UseUsual
	}
	return ""
}

func (m *Message) act(app.Context, app.Event) {
	switch m.Notice.Action {
	case kernel.ActionStartCamera:
		m.Kernel.Camera.Start("")
	case kernel.ActionRetryEngine:
		m.Kernel.Engine.Retry()
	case kernel.ActionReload:
		browser.Reload()
	case kernel.ActionSaveAgain:
		m.Kernel.Project.SaveAgain()
	case kernel.ActionRetrieveProject:
		m.Kernel.Project.Retrieve(m.Notice.Subject)
	case kernel.ActionSend:
		m.Kernel.Project.Send()
	case kernel.ActionSmallNetwork, kernel.ActionUsualNetwork:
		m.Kernel.Network.UseSupplied(m.Notice.Action == kernel.ActionSmallNetwork)
	case kernel.ActionUndo:
		m.Kernel.Classes.Undo()
		m.List.Focus(ui.CaptureID(m.Notice.Subject))
	}
}

func (m *Message) dismiss(app.Context, app.Event) { m.Kernel.Notices.Dismiss(m.Notice.Key) }
