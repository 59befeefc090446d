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
	fill := 0.0
	if state.Total > 0 {
		fill = float64(state.Loaded) / float64(state.Total)
	}
	loading := state.Stage == session.Loading
	return app.Div().Class("engine", stageClass[state.Stage]).Role("status").Body(
		app.Span().Class("dot"),
		app.Span().ID("loading-text").Text(engineText(state)),
		app.If(loading, &Fill{Class: "load", ID: "loading-fill", Label: "Loading", Value: fill}),
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
	if state.Part == "weights" && state.Total > 0 {
		return fmt.Sprintf("Loading the network, %.1f of %.1f MB", megabytes(state.Loaded), megabytes(state.Total))
	}
	return "Loading the classifier"
}

func megabytes(bytes int) float64 { return float64(bytes) / 1e6 }
