package view

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Why shows the reason for the answer: which part of the picture matches which part of
// an example.
type Why struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the reasons, and shows them where there is room.
func (w *Why) OnMount(ctx app.Context) {
	w.watch(ctx, w.Session, w.Session.Why, w.Session.Classes)
	if browser.Roomy() {
		w.Session.Why.Show(true)
	}
}

// Render shows the match with a legend, or one line while it is hidden.
func (w *Why) Render() app.UI {
	t := &w.Session.Texts().Why
	why := w.Session.Why.State()
	class, known := w.class(why.Match)
	toggle := t.Show
	if why.Shown {
		toggle = t.Hide
	}
	return app.Section().
		Class("why", "panel", when(known, hue(class)), when(!why.Shown, "folded"), when(why.Part != nil, "still")).
		Aria("labelledby", "why-title").
		Body(
			app.Header().Body(
				app.H2().ID("why-title").Text(whyTitle(t, class, known)),
				app.If(known, app.Span().Class("alike").Text(w.alike(why.Match))),
				app.Button().Type("button").ID("show-why").Class("quiet").
					Aria("expanded", why.Shown).Title(toggle).Aria("label", toggle).
					OnClick(w.toggle).Body(icon(iconFold)),
				app.If(why.Shown, app.Div().Class("acts").Body(
					app.Label().Class("tick").Title(t.HeatTitle).Body(
						app.Input().Type("checkbox").ID("heat").Checked(why.Heat).OnChange(w.heat),
						app.Span().Text(t.Heat),
					),
					app.Button().Type("button").ID("closer").Class("plain").
						Disabled(!known).OnClick(w.compare).Body(icon(iconLoupe), app.Text(t.Closer)),
				)),
			),
			app.If(why.Shown, w.body(t, why, known)),
		)
}

// body is the drawing, its names and what it says in words.
func (w *Why) body(t *texts.Why, why session.WhyState, known bool) app.UI {
	return app.Div().Class("match").Body(
		&MatchCanvas{Session: w.Session},
		app.If(!known, app.P().Class("wait").Text(w.waiting(t))),
		app.Div().Class("names", when(!known, "off")).Body(
			app.Span().Text(t.Picture), app.Span().Text(t.Example),
		),
		app.P().Class("words").Role("status").Text(whyWords(w.Session.Texts(), why)),
		lead(w.Session, why.Match),
	)
}

// waiting says what has to happen before there is a match to show.
func (w *Why) waiting(t *texts.Why) string {
	for _, c := range w.Session.Classes.List() {
		if !c.Disabled && len(c.Examples) > 0 {
			return t.Nothing
		}
	}
	return t.Waiting
}

// class is the class of a match, if there is one still.
func (w *Why) class(m *session.Match) (class session.Class, known bool) {
	if m == nil {
		return class, false
	}
	return w.Session.Classes.Find(m.ClassID)
}

func whyTitle(t *texts.Why, class session.Class, known bool) string {
	if !known {
		return t.Title
	}
	return t.TitleOf(class.Label)
}

func (w *Why) alike(m *session.Match) string {
	if m == nil {
		return ""
	}
	t := w.Session.Texts()
	return t.Why.Alike(t.Percent(m.Alike()))
}

// whyWords says in words what the drawing shows.
func whyWords(t *texts.Texts, why session.WhyState) string {
	switch {
	case why.Match == nil:
		return ""
	case why.Part == nil:
		return t.Why.Legend
	}
	side, tell := why.Match.From, t.Why.PartOfPicture
	if why.Part.OfExample {
		side, tell = why.Match.To, t.Why.PartOfExample
	}
	var shares []string
	for _, s := range sharesOf(why.Match.Explanation, *why.Part) {
		shares = append(shares, t.Percent(s.of))
	}
	return tell(t.Percent(side.Weights[why.Part.Node]/why.Match.Total), len(shares), strings.Join(shares, " + "))
}

func (w *Why) toggle(app.Context, app.Event) { w.Session.Why.Show(!w.Session.Why.State().Shown) }

func (w *Why) heat(ctx app.Context, _ app.Event) {
	w.Session.Why.ShowHeat(ctx.JSSrc().Get("checked").Bool())
}

func (w *Why) compare(ctx app.Context, _ app.Event) {
	w.Session.Why.OpenComparison()
	if w.Session.Why.State().Comparison != nil {
		openDialog(ctx, ComparisonID)
	}
}
