package ui

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// progress is the class of bars that show the progress of an operation.
const progress = "load"

// Bar returns a bar of the given class, with a value from 0 to 1. The style sheet's variable --fill sets
// its length: the page's policy forbids style attributes.
func Bar(t *texts.Texts, class, label string, value float64) app.UI {
	role := "meter"
	if class == progress {
		role = "progressbar"
	}
	bar := app.Div().
		Class("fill", class).
		Role(role).
		Aria("label", label).
		Aria("valuemin", 0).
		Aria("valuemax", 1).
		Aria("valuenow", strconv.FormatFloat(value, 'f', 4, 64)).
		Aria("valuetext", t.Percent(value)).
		Body(app.Div())
	return &Drawn{Element: bar, Value: value, Draw: func(bar app.Value) { bar.Get("style").Call("setProperty", "--fill", value) }}
}

// Running shows the progress of an operation, with a bar of the given label and a button that ends
// it. Screen readers announce the bar as often as their users like, so the words are not a live region.
func Running(t *texts.Texts, words, label string, share float64, id, button string, end func()) app.UI {
	return app.Div().Class("running").Body(
		app.P().Text(words),
		Bar(t, progress, label, share),
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
