package training

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	t := New(k)
	page.Show(ui.Improvements, func() app.UI { return &View{watching: ui.Watches(t.K, t, t.K.Setup, t.K.Classes), Training: t} })
}

// View starts training and shows its gain.
type View struct {
	app.Compo
	watching
	Training *Training
}

// OnMount starts to measure the expected duration.
func (p *View) OnMount(ctx app.Context) {
	p.watching.OnMount(ctx)
	p.Training.Show(true)
}

// OnDismount ends that.
func (p *View) OnDismount() {
	p.watching.OnDismount()
	p.Training.Show(false)
}

// Render shows the button, the progress, or the gain.
func (p *View) Render() app.UI {
	t, state := p.Training.K.Texts(), p.Training.State()
	chosen := p.Training.K.Setup.Method().Classifier
	means, two := chosen == method.Prototype || chosen == method.Mixture, len(p.Training.K.Classes.Answering()) > 1
	able := means && two
	words := t.Improve.LearnNote
	if state.Expected > 0 {
		words = kernel.Paragraph(words, t.Improve.LearnTime(t.Duration(state.Expected)))
	}
	switch {
	case !means:
		words = t.Improve.NotProto
	case !two:
		words = t.Improve.LearnTwo
	case state.Learned && state.Gain != nil:
		words = t.Improve.Learned + " " + t.Improve.Gain(state.Gain.Of, state.Gain.Before, state.Gain.After)
	case state.Learned:
		words = t.Improve.NoGain(state.Gain.Of)
	}
	return app.Article().Class("learn").Body(
		app.H3().Text(t.Improve.Learn),
		app.P().Class("note").ID("learned").Role("status").Text(words),
		app.If(state.Running, app.Div().Class("running").Body(
			app.P().Text(t.Improve.Training(t.Percent(ui.Fraction(state.Progress)))),
			ui.Bar(t, "load", t.Improve.Learn, ui.Fraction(state.Progress)),
			app.Button().Type("button").Class("plain small").Text(t.Improve.Stop).OnClick(p.stop),
		)),
		app.If(!state.Running, app.Div().Class("ways").Body(
			app.Button().Type("button").Class("plain").ID("train").Disabled(!able).OnClick(p.train).
				Body(ui.Icon(ui.IconLearn), app.Text(t.Improve.Train)),
		)),
	)
}

func (p *View) train(app.Context, app.Event) { p.Training.Start() }
func (p *View) stop(app.Context, app.Event)  { p.Training.Stop() }
