package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Answer shows how probable each class is.
type Answer struct {
	app.Compo
	watching
	Session *session.Session

	best, better []string // the classes whose bars are shown where there is room for few, and for more
	all          bool     // all bars are shown all the same
}

// OnMount starts to follow the answers.
func (a *Answer) OnMount(ctx app.Context) {
	a.watch(ctx, a.Session, a.Session.Live, a.Session.Classes)
}

// Render draws one bar a class, always in the order of the classes. Of more than there is
// room for, the style sheet shows the best.
func (a *Answer) Render() app.UI {
	t := a.Session.Texts()
	live, classes := a.Session.Live.State(), a.Session.Classes.List()
	answer := live.Answer
	var considered []session.Class
	for _, c := range classes {
		if !c.Disabled {
			considered = append(considered, c)
		}
	}
	a.best, a.better = leaders(a.best, considered, answer, fewBars), leaders(a.better, considered, answer, moreBars)
	var bars []app.UI
	for _, c := range considered {
		p, known := answer.Of(c.ID)
		bars = append(bars, app.Li().
			Class("bar", hue(c), when(c.ID == answer.Best() && !answer.Unknown, "best"), when(!known, "unknown"),
				when(!listed(a.best, c), "not-few"), when(!listed(a.better, c), "not-more")).
			DataSet("class", c.ID).
			Body(
				app.Span().Class("name").Attr("dir", "auto").Title(c.Label).Text(c.Label),
				meter(t, "probability", c.Label, p),
				app.Span().Class("percent").Text(percentOrDash(t, p, known)),
			))
	}
	n := len(bars)
	return app.Div().Class("answer", when(answer.Unknown, "stranger"), when(n > fewBars, "many"), when(n > moreBars, "crowd"), when(a.all, "all")).Body(
		app.If(answer.Unknown, app.P().Class("stranger-note").Role("status").Text(strangerNote(t, answer))),
		app.Ul().Class("bars").TabIndex(-1).Aria("label", t.Answer.Bars).Body(bars...),
		app.If(n > fewBars, a.switchAll(t, n)),
		app.P().Class("hint").Text(hint(&t.Answer, classes)),
		app.P().Class("speed").Text(speed(t, live)),
	)
}

// switchAll shows all bars, or the best again.
func (a *Answer) switchAll(t *texts.Texts, n int) app.UI {
	label := t.Project.ShowAll(n)
	if a.all {
		label = t.Project.ShowFewer
	}
	return app.Button().Type("button").Class("quiet more").Aria("expanded", a.all).Text(label).OnClick(a.toggle)
}

func (a *Answer) toggle(app.Context, app.Event) { a.all = !a.all }

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

// speed says how many answers there are a second, of a camera.
func speed(t *texts.Texts, live session.LiveState) string {
	if len(live.Answer.Scores) == 0 || live.Rate == 0 {
		return ""
	}
	return t.Answer.Rate(t.Decimal(live.Rate, 0))
}

func hue(c session.Class) string { return fmt.Sprintf("hue-%d", c.Hue) }
