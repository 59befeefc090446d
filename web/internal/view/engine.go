package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Engine shows the engine's stage: a progress bar, then a line of text.
type Engine struct {
	app.Compo
	watching
}

// Render shows the line, with a bar while the engine loads.
func (e *Engine) Render() app.UI {
	t, state := e.Kernel.Texts(), e.Kernel.Engine.State()
	loading := state.Stage == kernel.Loading
	return app.Div().Class("engine", stageClass[state.Stage]).Role("status").Body(
		app.Span().Class("dot"),
		app.Span().ID("loading-text").Text(engineText(t, state, e.Kernel.Setup.State().Changing)),
		app.If(loading, ui.Bar(t, "load", t.Engine.LoadingBar, state.Progress).As("loading-fill")),
	)
}

var stageClass = map[kernel.Stage]string{
	kernel.Loading: "loading", kernel.Ready: "ready", kernel.Restarting: "loading", kernel.Failed: "failed",
}

func engineText(t *texts.Texts, state kernel.EngineState, changing *kernel.Progress) string {
	switch state.Stage {
	case kernel.Ready:
		if changing != nil {
			return t.Setup.Changing(changing.Done, changing.All)
		}
		return t.Engine.Ready
	case kernel.Restarting:
		return t.Engine.Restarting
	case kernel.Failed:
		return t.Engine.Failed
	}
	return t.Engine.Loading(t.Percent(state.Progress))
}

// Facts shows experts the network, and the time of the latest answer.
type Facts struct {
	app.Compo
	watching
}

// Render shows one line for each, once known.
func (f *Facts) Render() app.UI {
	t := f.Kernel.Texts()
	return app.Div().ID("facts").Class("note").Body(
		app.P().Text(engineFacts(t, f.Kernel.Engine.State())),
		app.P().Text(answerFacts(t, f.Kernel.Live.State().Answer)),
	)
}

func engineFacts(t *texts.Texts, state kernel.EngineState) string {
	if state.Stage != kernel.Ready {
		return ""
	}
	return t.Engine.Facts(state.Info.Network, state.Info.InputSize, state.Info.Kernels)
}

func answerFacts(t *texts.Texts, answer kernel.Answer) string {
	if len(answer.Scores) == 0 {
		return ""
	}
	return t.Engine.Took(t.Decimal(answer.MS, 0), t.Decimal(answer.EmbedMS, 0), t.Decimal(answer.MatchMS, 1))
}
