package ui

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// Drawn is an element that a script completes: Draw is called when the element appears, and when its
// value has changed.
type Drawn struct {
	app.Compo
	Element app.UI
	Value   any // comparable
	Draw    func(element app.Value)

	drawn any
}

// Render shows the element.
func (d *Drawn) Render() app.UI { return d.Element }

// OnMount draws the value.
func (d *Drawn) OnMount(ctx app.Context) {
	d.drawn = d.Value
	d.Draw(ctx.JSSrc())
}

// OnUpdate draws another value.
func (d *Drawn) OnUpdate(ctx app.Context) {
	if d.Value != d.drawn {
		d.OnMount(ctx)
	}
}

// ExamplePicture shows an example as the model saw it.
func ExamplePicture(id string) app.UI {
	return &Drawn{
		Element: app.Img().Alt("").Class("example-picture"), Value: id,
		Draw: func(image app.Value) { browser.ShowExample(image, id) },
	}
}

// Range returns a slider with limits, step and handlers. go-app sets attributes in random order, and
// browsers clamp and round a value that they get before its limits and its step: Range sets the value
// again, last. Updates set only attributes that have changed.
func Range(input app.HTMLInput, value float64) app.UI {
	return &Drawn{
		Element: input.Type("range").Value(value),
		Draw:    func(slider app.Value) { slider.Set("value", value) },
	}
}
