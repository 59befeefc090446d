package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"deepemd/web/studio/session"
)

// Engine says how far the engine is: a bar while it loads, then what it runs.
type Engine struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the engine.
func (e *Engine) OnMount(ctx app.Context) { e.watch(ctx, e.Session, session.Engines) }

// Render shows the state as a line, with a bar under it while something loads.
func (e *Engine) Render() app.UI {
	state := e.Session.Engine()
	loading := state.Stage == session.Loading
	return app.Div().Class("engine", stageClass[state.Stage]).Role("status").Body(
		app.Span().Class("dot"),
		app.Span().ID("loading-text").Text(engineText(state)),
		app.If(loading, &Fill{Class: "load", ID: "loading-fill", Label: "Loading", Value: state.Progress}),
	)
}

var stageClass = map[session.Stage]string{
	session.Loading: "loading", session.Ready: "ready", session.Restarting: "loading", session.Failed: "failed",
}

func engineText(state session.EngineState) string {
	switch state.Stage {
	case session.Ready:
		return fmt.Sprintf("%s · %d px · %s", state.Info.Network, state.Info.InputSize, state.Info.Kernels)
	case session.Restarting:
		return "Restarting the classifier"
	case session.Failed:
		return "No classifier"
	}
	return fmt.Sprintf("Loading the classifier, %s", percent(state.Progress))
}
