package ui

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Option is an option of a Choice or a Selection.
type Option struct{ Value, Text string }

// Choice returns a group of radio buttons, side by side, with a name and a legend.
func Choice(name, legend, chosen string, options []Option, choose func(value string)) app.UI {
	var labels []app.UI
	for _, o := range options {
		labels = append(labels, app.Label().Body(
			app.Input().Type("radio").Name(name).Value(o.Value).Checked(o.Value == chosen).OnChange(Take(choose)),
			app.Span().Text(o.Text),
		))
	}
	return app.FieldSet().Body(
		app.Legend().Text(legend),
		app.Div().Class("choice").Body(labels...),
	)
}

// Selection returns a drop-down list. choose is optional.
func Selection(id, label, chosen string, options []Option, choose func(value string)) app.UI {
	var list []app.UI
	for _, o := range options {
		list = append(list, app.Option().Value(o.Value).Text(o.Text).Selected(o.Value == chosen))
	}
	field := app.Select().ID(id).Body(list...)
	if choose != nil {
		field.OnChange(Take(choose))
	}
	return app.Label().Body(app.Span().Text(label), field)
}

// Tick returns a checkbox with a text.
func Tick(id, text string, checked bool, change func(on bool)) app.HTMLLabel {
	set := func(ctx app.Context, _ app.Event) { change(ctx.JSSrc().Get("checked").Bool()) }
	return app.Label().Class("tick").Body(
		app.Input().Type("checkbox").ID(id).Checked(checked).OnChange(set, code(change)),
		app.Span().Text(text),
	)
}

// FoldButton folds or unfolds a panel; show and hide are its labels.
func FoldButton(id string, open bool, show, hide string, unfold func(open bool)) app.UI {
	label := show
	if open {
		label = hide
	}
	return Sign("quiet", id, IconFold, label).Aria("expanded", open).OnClick(Do(func() { unfold(!open) }, open))
}

// With returns the options, including the chosen one.
func With(options []Option, chosen string) []Option {
	if !slices.ContainsFunc(options, func(o Option) bool { return o.Value == chosen }) {
		options = append(options, Option{chosen, chosen})
	}
	return options
}
