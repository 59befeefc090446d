package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

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
