package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// option is one of the things to choose from.
type option struct{ value, text string }

// choice lets a person choose one of a few things, which stand side by side:
// radio buttons of the given name, in a group with a legend.
func choice(name, legend, chosen string, options []option, choose app.EventHandler) app.UI {
	var labels []app.UI
	for _, o := range options {
		labels = append(labels, app.Label().Body(
			app.Input().Type("radio").Name(name).Value(o.value).Checked(o.value == chosen).OnChange(choose),
			app.Span().Text(o.text),
		))
	}
	return app.FieldSet().Body(
		app.Legend().Text(legend),
		app.Div().Class("choice").Body(labels...),
	)
}

// selection is a choice of one from a list that unfolds.
func selection(id, label, chosen string, options []option, choose app.EventHandler) app.UI {
	var list []app.UI
	for _, o := range options {
		list = append(list, app.Option().Value(o.value).Text(o.text).Selected(o.value == chosen))
	}
	return app.Label().Body(app.Span().Text(label), app.Select().ID(id).OnChange(choose).Body(list...))
}
