package ui

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Meter is a bar with a value from 0 to 1.
type Meter struct {
	app.Compo
	Class string
	Label string // for those who do not see the bar
	Text  string // the value, for them
	Value float64
}

// Bar returns a bar of the given class.
func Bar(t *texts.Texts, class, label string, value float64) *Meter {
	return &Meter{Class: class, Label: label, Text: t.Percent(value), Value: value}
}

// Render draws the bar without its value, which a variable of the style sheet sets: the page's
// policy forbids style attributes.
func (m *Meter) Render() app.UI {
	return app.Div().
		Class("fill", m.Class).
		Role("meter").
		Aria("label", m.Label).
		Aria("valuemin", 0).
		Aria("valuemax", 1).
		Aria("valuenow", strconv.FormatFloat(m.Value, 'f', 4, 64)).
		Aria("valuetext", m.Text).
		Body(app.Div())
}

// OnMount sets the value.
func (m *Meter) OnMount(ctx app.Context) { browser.SetFill(ctx.JSSrc(), m.Value) }

// OnUpdate sets the value again.
func (m *Meter) OnUpdate(ctx app.Context) { browser.SetFill(ctx.JSSrc(), m.Value) }

// Running shows the progress of an operation, with a bar of the given label and a button that ends
// it.
func Running(t *texts.Texts, words, label string, share float64, id, button string, end func()) app.UI {
	return app.Div().Class("running").Body(
		app.P().Role("status").Text(words),
		Bar(t, "load", label, share),
		Button("plain small", id, "", button).OnClick(Do(end)),
	)
}

// Fraction returns the finished share of an operation.
func Fraction(p kernel.Progress) float64 {
	if p.All == 0 {
		return 0
	}
	return float64(p.Done) / float64(p.All)
}
