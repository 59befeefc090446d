package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawEngine shows the engine's stage: a line of text, with a bar while the engine loads. It announces each
// stage once, without the progress.
func (s *Studio) drawEngine() app.UI {
	t, state := s.Kernel.Texts(), s.Kernel.Engine.State()
	changing := s.Kernel.Setup.State().Changing
	text := engineText(t, state, changing)
	said := text
	switch {
	case state.Stage == kernel.Loading:
		said = t.Engine.LoadingBar
	case state.Stage == kernel.Ready && changing != nil:
		said = t.Setup.Changing(0, changing.All)
	}
	return app.Div().Class("engine", stageClass[state.Stage]).Body(
		app.Span().Class("dot"),
		app.Span().ID("loading-text").Aria("hidden", text == said).Text(text),
		app.P().Class("said").Role("status").Text(said),
		app.If(state.Stage == kernel.Loading, ui.Bar(t, "load", t.Engine.LoadingBar, state.Progress)),
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

// drawFacts shows experts the network, and the time of the latest answer, once known.
func (s *Studio) drawFacts() app.UI {
	t := s.Kernel.Texts()
	return app.Div().ID("facts").Class("note").Body(
		app.P().Text(engineFacts(t, s.Kernel.Engine.State())),
		app.P().Text(answerFacts(t, s.Kernel.Live.State().Answer)),
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
