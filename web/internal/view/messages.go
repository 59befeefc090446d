package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Messages shows what happened and what to do about it.
type Messages struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the notices.
func (m *Messages) OnMount(ctx app.Context) { m.watch(ctx, m.Session, m.Session.Notices) }

// Render shows the notices, which screen readers read out as they come.
func (m *Messages) Render() app.UI {
	var notices []app.UI
	for _, n := range m.Session.Notices.List() {
		notices = append(notices, &Message{List: m, Session: m.Session, Texts: m.Session.Texts(), Notice: n})
	}
	return app.Div().Class("messages").Aria("live", "polite").Body(notices...)
}

// Message is one notice.
type Message struct {
	app.Compo
	List    *Messages
	Session *session.Session
	Texts   *texts.Texts
	Notice  session.Notice
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
		app.If(n.Action != session.NoAction,
			app.Button().Type("button").Class("plain").Text(actionText(m.Texts, n.Action)).OnClick(m.act)),
		app.Button().Type("button").Class("quiet").Aria("label", m.Texts.Notice.Dismiss).OnClick(m.dismiss).Body(icon(iconClose)),
	)
}

var kindClass = map[session.Kind]string{
	session.Good: "good", session.News: "news", session.Warning: "warning", session.Trouble: "trouble",
}

func actionText(t *texts.Texts, action session.Action) string {
	switch action {
	case session.ActionStartCamera:
		return t.Notice.StartCamera
	case session.ActionRetryEngine:
		return t.Notice.Retry
	case session.ActionReload:
		return t.Notice.Reload
	case session.ActionSaveAgain:
		return t.Project.SaveAgain
	case session.ActionRetrieveProject:
		return t.Project.Retrieve
	case session.ActionSend:
		return t.Project.SendNow
	case session.ActionUndo:
		return t.Project.Undo
	case session.ActionSmallNetwork:
		return t.Network.UseSmall
	case session.ActionUsualNetwork:
		return t.Network.UseUsual
	}
	return ""
}

func (m *Message) act(app.Context, app.Event) {
	switch m.Notice.Action {
	case session.ActionStartCamera:
		m.Session.Camera.Start("")
	case session.ActionRetryEngine:
		m.Session.Engine.Retry()
	case session.ActionReload:
		browser.Reload()
	case session.ActionSaveAgain:
		m.Session.Project.SaveAgain()
	case session.ActionRetrieveProject:
		m.Session.Project.Retrieve(m.Notice.Subject)
	case session.ActionSend:
		m.Session.Project.Send()
	case session.ActionSmallNetwork, session.ActionUsualNetwork:
		m.Session.Network.UseSupplied(m.Notice.Action == session.ActionSmallNetwork)
	case session.ActionUndo:
		m.Session.Classes.Undo()
		m.List.focus(captureID(m.Notice.Subject))
	}
}

func (m *Message) dismiss(app.Context, app.Event) { m.Session.Notices.Dismiss(m.Notice.Key) }
