package ui

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Option is one of the things to choose from.
type Option struct{ Value, Text string }

// Choice lets a person choose one of a few things, which stand side by side:
// radio buttons of the given name, in a group with a legend.
func Choice(name, legend, chosen string, options []Option, choose app.EventHandler) app.UI {
	var labels []app.UI
	for _, o := range options {
		labels = append(labels, app.Label().Body(
			app.Input().Type("radio").Name(name).Value(o.Value).Checked(o.Value == chosen).OnChange(choose),
			app.Span().Text(o.Text),
		))
	}
	return app.FieldSet().Body(
		app.Legend().Text(legend),
		app.Div().Class("choice").Body(labels...),
	)
}

// Selection is a choice of one from a list that unfolds.
func Selection(id, label, chosen string, options []Option, choose app.EventHandler) app.UI {
	var list []app.UI
	for _, o := range options {
		list = append(list, app.Option().Value(o.Value).Text(o.Text).Selected(o.Value == chosen))
	}
	return app.Label().Body(app.Span().Text(label), app.Select().ID(id).OnChange(choose).Body(list...))
}

// With returns options among which is the one that was chosen.
func With(options []Option, chosen string) []Option {
	if !slices.ContainsFunc(options, func(o Option) bool { return o.Value == chosen }) {
		options = append(options, Option{chosen, chosen})
	}
	return options
}
