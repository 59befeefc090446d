package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Caption names the most probable class over the picture.
type Caption struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the answers.
func (c *Caption) OnMount(ctx app.Context) {
	c.watch(ctx, c.Session, c.Session.Live, c.Session.Classes)
}

// Render shows the name and its probability, or nothing.
func (c *Caption) Render() app.UI {
	answer := c.Session.Live.State().Answer
	best := answer.Best()
	if best != "" && answer.Unknown {
		return app.P().Class("caption", "stranger").Body(app.Span().Text(c.Session.Texts().Improve.Unknown))
	}
	for _, class := range c.Session.Classes.List() {
		if class.ID == best {
			p, _ := answer.Of(best)
			return app.P().Class("caption", hue(class)).Body(
				app.Span().Attr("dir", "auto").Text(class.Label),
				app.Span().Class("percent").Text(c.Session.Texts().Percent(p)),
			)
		}
	}
	return app.P().Class("caption", "hidden")
}
