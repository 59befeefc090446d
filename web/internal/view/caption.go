package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Caption names the most probable class in large letters. Before the first answer it
// suggests the next step of teaching.
type Caption struct {
	app.Compo
	watching
}

// Render shows the class and its probability, "Unknown", or the advice.
func (c *Caption) Render() app.UI {
	t, answer := c.Kernel.Texts(), c.Kernel.Live.State().Answer
	class, known := verdict(c.Kernel)
	switch {
	case known:
		p, _ := answer.Of(class.ID)
		return app.P().Class("caption", ui.Hue(class)).Body(
			app.Span().Attr("dir", "auto").Text(class.Label),
			app.Span().Class("percent").Text(t.Percent(p)),
		)
	case answer.Unknown():
		return app.P().Class("caption", "stranger").Body(app.Span().Text(t.Improve.Unknown))
	}
	return app.P().Class("caption", "hint").Text(hint(t, c.Kernel.Classes.List()))
}

// Ring frames the stage in the color of the most probable class.
type Ring struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
	drawn  string // the class of the color, to draw only changes
}

// OnMount starts to follow the most probable class.
func (r *Ring) OnMount(ctx app.Context) {
	draw := func() { ctx.Dispatch(nil) }
	r.Follow(ctx, draw, r.Kernel.Classes)
	r.Follow(ctx, func() {
		if r.class() != r.drawn {
			draw()
		}
	}, r.Kernel.Live)
}

// Render draws the ring, in gray for something unknown.
func (r *Ring) Render() app.UI {
	r.drawn = r.class()
	return app.Div().Class("ring", r.drawn)
}

func (r *Ring) class() string {
	if class, known := verdict(r.Kernel); known {
		return ui.Hue(class)
	}
	if answer := r.Kernel.Live.State().Answer; answer.Unknown() {
		return "stranger"
	}
	return "hidden"
}

// verdict returns the class that the latest answer names, if it names one.
func verdict(k *kernel.Kernel) (kernel.Class, bool) {
	answer := k.Live.State().Answer
	if answer.Unknown() {
		return kernel.Class{}, false
	}
	return k.Classes.Find(answer.Best())
}

// hint suggests the next step of teaching, if any.
func hint(t *texts.Texts, classes []kernel.Class) string {
	var taught int
	for _, c := range classes {
		if len(c.Examples) > 0 {
			taught++
		}
	}
	switch taught {
	case 0:
		return t.Answer.TeachFirst
	case 1:
		return t.Answer.TeachMore
	}
	return ""
}
