package training

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	t := New(k)
	page.Show(ui.Improvements, ui.WhileShown(t.Show, k, t.view, t, k.Setup, k.Classes))
}

// learnedID is the id of the text that gets the focus of buttons that disappear.
const learnedID = "learned"

// view shows the button, the progress, or the gain.
func (p *Training) view() app.UI {
	t, state := p.K.Texts(), p.State()
	chosen := p.K.Setup.Method().Classifier
	means, two := chosen == method.Prototype || chosen == method.Mixture, len(p.K.Classes.Answering()) > 1
	able := means && two
	words, live := t.Improve.LearnNote, "off"
	if state.Gain != nil || state.Learned {
		live = "polite" // the result; the note follows every change
	}
	switch {
	case !means:
		words = t.Improve.NotProto
	case !two:
		words = t.Improve.LearnTwo
	case state.Gain != nil && state.Gain.Useless():
		words = t.Improve.Useless(state.Gain.Of, state.Gain.Before, state.Gain.After)
	case state.Learned && state.Gain != nil:
		words = t.Improve.Learned + " " + t.Improve.Gain(state.Gain.Of, state.Gain.Before, state.Gain.After)
	case state.Learned:
		words = t.Improve.NoGain
	}
	return app.Article().Class("learn").Body(
		app.H3().Text(t.Improve.Learn),
		app.P().Class("note").ID(learnedID).TabIndex(-1).Aria("live", live).Text(words),
		app.If(able && !state.Running && !state.Learned && state.Gain == nil && state.Expected > 0, // not announced, as it follows every change
			app.P().Class("note").ID("learn-time").Text(t.Improve.LearnTime(t.Duration(state.Expected)))),
		app.If(state.Running, ui.Running(t, t.Improve.Training(t.Percent(ui.Fraction(state.Progress))), t.Improve.Learn, ui.Fraction(state.Progress),
			"", t.Page.Stop, func() { p.Stop(); browser.Focus(learnedID) })),
		app.If(!state.Running, app.Div().Class("ways").Body(
			ui.Button("plain", "train", ui.IconLearn, t.Improve.Train).Disabled(!able).OnClick(ui.Do(func() { p.Start(); browser.Focus(learnedID) })),
		)),
	)
}
