package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Engine says how far the engine is: a bar while it loads, then what it runs.
type Engine struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the engine, and changes of what it does.
func (e *Engine) OnMount(ctx app.Context) { e.watch(ctx, e.Session, e.Session.Engine, e.Session.Setup) }

// Render shows the state as a line, with a bar under it while something loads.
func (e *Engine) Render() app.UI {
	t, state := e.Session.Texts(), e.Session.Engine.State()
	loading := state.Stage == session.Loading
	return app.Div().Class("engine", stageClass[state.Stage]).Role("status").Body(
		app.Span().Class("dot"),
		app.Span().ID("loading-text").Text(engineText(t, state, e.Session.Setup.State().Changing)),
		app.If(loading, meter(t, "load", t.Engine.LoadingBar, state.Progress).as("loading-fill")),
	)
}

var stageClass = map[session.Stage]string{
	session.Loading: "loading", session.Ready: "ready", session.Restarting: "loading", session.Failed: "failed",
}

func engineText(t *texts.Texts, state session.EngineState, changing *session.Progress) string {
	switch state.Stage {
	case session.Ready:
		if changing != nil {
			return t.Setup.Changing(changing.Done, changing.All)
		}
		return t.Engine.Ready
	case session.Restarting:
		return t.Engine.Restarting
	case session.Failed:
		return t.Engine.Failed
	}
	return t.Engine.Loading(t.Percent(state.Progress))
}

// Facts tells experts what the engine runs, and what an answer took.
type Facts struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the engine and its answers.
func (f *Facts) OnMount(ctx app.Context) {
	f.watch(ctx, f.Session, f.Session.Engine, f.Session.Live)
}

// Render shows a line of each, once it is known.
func (f *Facts) Render() app.UI {
	t := f.Session.Texts()
	return app.Div().ID("facts").Class("note").Body(
		app.P().Text(engineFacts(t, f.Session.Engine.State())),
		app.P().Text(answerFacts(t, f.Session.Live.State().Answer)),
	)
}

func engineFacts(t *texts.Texts, state session.EngineState) string {
	if state.Stage != session.Ready {
		return ""
	}
	return t.Engine.Facts(state.Info.Network, state.Info.InputSize, state.Info.Kernels)
}

func answerFacts(t *texts.Texts, answer session.Answer) string {
	if len(answer.Scores) == 0 {
		return ""
	}
	return t.Engine.Took(t.Decimal(answer.Millis, 0), t.Decimal(answer.EmbedMs, 0), t.Decimal(answer.MatchMs, 1))
}
