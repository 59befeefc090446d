package view

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Answer shows how probable each class is, and how fast that was found out.
type Answer struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the answers.
func (a *Answer) OnMount(ctx app.Context) {
	a.watch(ctx, a.Session, a.Session.Live, a.Session.Classes)
}

// Render draws one bar a class, always in the order of the classes.
func (a *Answer) Render() app.UI {
	t := a.Session.Texts()
	live, classes := a.Session.Live.State(), a.Session.Classes.List()
	best := live.Answer.Best()
	var bars []app.UI
	unknown := live.Answer.Unknown
	for _, c := range classes {
		if c.Disabled {
			continue
		}
		p, known := live.Answer.Of(c.ID)
		bars = append(bars, app.Li().
			Class("bar", hue(c), when(c.ID == best && !unknown, "best"), when(!known, "unknown")).
			DataSet("class", c.ID).
			Body(
				app.Span().Class("name").Text(c.Label),
				meter(t, "probability", c.Label, p),
				app.Span().Class("percent").Text(percentOrDash(t, p, known)),
			))
	}
	return app.Div().Class("answer", when(unknown, "stranger")).Body(
		app.If(unknown, app.P().Class("stranger-note").Role("status").Text(strangerNote(t, live.Answer))),
		app.Ul().Class("bars").Aria("label", t.Answer.Bars).Body(bars...),
		app.P().Class("hint").Text(hint(&t.Answer, classes)),
		app.P().Class("speed").Text(speed(t, live)),
	)
}

func strangerNote(t *texts.Texts, answer session.Answer) string {
	if answer.Nothing {
		return t.Improve.NothingTip
	}
	return t.Improve.UnknownTip
}

func percentOrDash(t *texts.Texts, p float64, known bool) string {
	if !known {
		return "–"
	}
	return t.Percent(p)
}

// hint says what to do next, if anything.
func hint(t *texts.Answer, classes []session.Class) string {
	var taught int
	for _, c := range classes {
		if len(c.Examples) > 0 {
			taught++
		}
	}
	switch {
	case taught == 0:
		return t.TeachFirst
	case taught == 1:
		return t.TeachMore
	}
	return ""
}

// speed says how long an answer takes and how many there are a second.
func speed(t *texts.Texts, live session.LiveState) string {
	if len(live.Answer.Scores) == 0 {
		return ""
	}
	parts := []string{t.Answer.Speed(t.Decimal(live.Answer.Millis, 0))}
	if live.Rate > 0 {
		parts = append(parts, t.Answer.Rate(t.Decimal(live.Rate, 0)))
	}
	parts = append(parts, t.Answer.Parts(t.Decimal(live.Answer.EmbedMs, 0), t.Decimal(live.Answer.MatchMs, 1)))
	return strings.Join(parts, " · ")
}

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
				app.Span().Text(class.Label),
				app.Span().Class("percent").Text(c.Session.Texts().Percent(p)),
			)
		}
	}
	return app.P().Class("caption", "hidden")
}

func hue(c session.Class) string { return fmt.Sprintf("hue-%d", c.Hue) }
