package ui

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Range is a slider. go-app sets attributes in random order, and browsers clamp and round a value that
// they get before its limits and its step: Range sets the value again, last.
type Range struct {
	app.Compo
	Input app.HTMLInput // with limits, step and handlers
	Value float64
}

// Render shows the slider.
func (r *Range) Render() app.UI { return r.Input.Type("range").Value(r.Value) }

// OnMount sets the value. Updates set only attributes that have changed.
func (r *Range) OnMount(ctx app.Context) { ctx.JSSrc().Set("value", r.Value) }
