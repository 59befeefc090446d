package ui

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Option is an option of a Choice or a Selection.
type Option struct{ Value, Text string }

// Choice is a group of radio buttons, side by side, with a name and a legend.
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

// Selection is a drop-down list.
func Selection(id, label, chosen string, options []Option, choose app.EventHandler) app.UI {
	var list []app.UI
	for _, o := range options {
		list = append(list, app.Option().Value(o.Value).Text(o.Text).Selected(o.Value == chosen))
	}
	return app.Label().Body(app.Span().Text(label), app.Select().ID(id).OnChange(choose).Body(list...))
}

// Tick is a checkbox with a text.
func Tick(id, text string, checked bool, change app.EventHandler) app.HTMLLabel {
	return app.Label().Class("tick").Body(
		app.Input().Type("checkbox").ID(id).Checked(checked).OnChange(change),
		app.Span().Text(text),
	)
}

// FoldButton folds or unfolds a panel; show and hide are its labels.
func FoldButton(id string, open bool, show, hide string, toggle app.EventHandler) app.UI {
	label := show
	if open {
		label = hide
	}
	return app.Button().Type("button").ID(id).Class("quiet").
		Aria("expanded", open).Title(label).Aria("label", label).
		OnClick(toggle).Body(Icon(IconFold))
}

// With returns the options, including the chosen one.
func With(options []Option, chosen string) []Option {
	if !slices.ContainsFunc(options, func(o Option) bool { return o.Value == chosen }) {
		options = append(options, Option{chosen, chosen})
	}
	return options
}
