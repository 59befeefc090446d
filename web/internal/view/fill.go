package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Fill is a bar that is filled from 0 to 1.
type Fill struct {
	app.Compo
	ID    string
	Class string
	Label string // for those who do not see the bar
	Value float64
}

// Render draws the bar empty; how full it is goes through the style sheet's
// variable, as the page's policy allows no style attributes.
func (f *Fill) Render() app.UI {
	bar := app.Div().
		Class("fill", f.Class).
		Role("meter").
		Aria("label", f.Label).
		Aria("valuemin", 0).
		Aria("valuemax", 1).
		Aria("valuenow", fmt.Sprintf("%.4f", f.Value)).
		Aria("valuetext", texts.Current().Percent(f.Value)).
		Body(app.Div())
	if f.ID != "" {
		bar = bar.ID(f.ID)
	}
	return bar
}

// OnMount fills the bar for the first time.
func (f *Fill) OnMount(ctx app.Context) { browser.SetFill(ctx.JSSrc(), f.Value) }

// OnUpdate fills the bar anew.
func (f *Fill) OnUpdate(ctx app.Context) { browser.SetFill(ctx.JSSrc(), f.Value) }
