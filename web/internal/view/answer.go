package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Answer shows the probability of each class. Most of the thirty answers per second change only
// numbers, which Answer writes to the bars without a Render.
type Answer struct {
	app.Compo
	watching
	Kernel *kernel.Kernel

	best, better []string // the classes whose bars are visible on small and on larger screens
	all          bool     // the user wants to see all bars
	drawn        string   // the outline of the last Render
}

// OnMount starts to follow the answers.
func (a *Answer) OnMount(ctx app.Context) {
	fill := func(app.Context) { a.fill(ctx) }
	a.Follow(ctx, func() {
		ctx.Dispatch(nil)
		ctx.Defer(fill)
	}, a.Kernel.Classes, a.Kernel.Language)
	a.Follow(ctx, func() { ctx.Defer(fill) }, a.Kernel.Live)
	a.fill(ctx)
}

// fill writes the numbers of the latest answer, and renders if its outline has changed.
func (a *Answer) fill(ctx app.Context) {
	answer, considered := a.Kernel.Live.State().Answer, a.considered()
	if a.outline(answer, considered) != a.drawn {
		ctx.Dispatch(nil)
		ctx.Defer(func(ctx app.Context) { a.write(ctx) })
		return
	}
	a.write(ctx)
}

// write writes the numbers.
func (a *Answer) write(ctx app.Context) {
	t, live := a.Kernel.Texts(), a.Kernel.Live.State()
	var figures strings.Builder
	for _, c := range a.considered() {
		p, known := live.Answer.Of(c.ID)
		// The probabilities of something unknown compare the classes, but it is none of them: they
		// are not shown.
		known = known && !live.Answer.Unknown()
		fmt.Fprintf(&figures, "%.4f\t%s\t%s\n", p, t.Percent(p), percentOrDash(t, p, known))
	}
	figures.WriteString(speed(t, live))
	browser.FillBars(ctx.JSSrc(), figures.String())
}

// considered returns the classes that have bars.
func (a *Answer) considered() (classes []kernel.Class) {
	for _, c := range a.Kernel.Classes.List() {
		if !c.Disabled {
			classes = append(classes, c)
		}
	}
	return classes
}

// outline describes an answer without its numbers, and updates the visible bars.
func (a *Answer) outline(answer kernel.Answer, considered []kernel.Class) string {
	a.best, a.better = leaders(a.best, considered, answer, fewBars), leaders(a.better, considered, answer, moreBars)
	var known []string
	for _, c := range considered {
		if _, ok := answer.Of(c.ID); ok {
			known = append(known, c.ID)
		}
	}
	// Package fmt would be slow: browsers take long to compile it.
	drawn := []string{answer.Best(), strconv.FormatBool(answer.Unknown()), strconv.FormatBool(answer.Nothing())}
	for _, ids := range [][]string{a.best, a.better, known} {
		drawn = append(append(drawn, strconv.Itoa(len(ids))), ids...)
	}
	return strings.Join(drawn, " ")
}

// Render draws one bar per class, in the order of the classes. If there are too many, the style
// sheet hides all but the leaders.
func (a *Answer) Render() app.UI {
	t, answer, considered := a.Kernel.Texts(), a.Kernel.Live.State().Answer, a.considered()
	a.drawn = a.outline(answer, considered)
	var bars []app.UI
	for _, c := range considered {
		_, known := answer.Of(c.ID)
		bars = append(bars, app.Li().
			Class("bar", ui.Hue(c), ui.When(c.ID == answer.Best() && !answer.Unknown(), "best"), ui.When(!known, "unknown"),
				ui.When(!listed(a.best, c), "not-few"), ui.When(!listed(a.better, c), "not-more")).
			DataSet("class", c.ID).
			Body(
				app.Span().Class("name").Attr("dir", "auto").Title(c.Label).Text(c.Label),
				app.Div().Class("fill", "probability").Role("meter").Aria("label", c.Label).
					Aria("valuemin", 0).Aria("valuemax", 1).Body(app.Div()),
				app.Span().Class("percent").Body(app.If(app.IsServer, app.Text(percentOrDash(t, 0, false)))),
			))
	}
	n := len(bars)
	return app.Div().Class("answer", ui.When(answer.Unknown(), "stranger"), ui.When(n > fewBars, "many"), ui.When(n > moreBars, "crowd"), ui.When(a.all, "all")).Body(
		app.If(answer.Unknown(), app.P().Class("stranger-note").Role("status").Text(strangerNote(t, answer))),
		app.Ul().Class("bars").TabIndex(-1).Aria("label", t.Answer.Bars).Body(bars...),
		app.If(n > fewBars, a.switchAll(t, n)),
		app.P().Class("speed"),
	)
}

// switchAll shows all bars, or only the leaders.
func (a *Answer) switchAll(t *texts.Texts, n int) app.UI {
	label := t.Project.ShowAll(n)
	if a.all {
		label = t.Project.ShowFewer
	}
	return app.Button().Type("button").Class("quiet more").Aria("expanded", a.all).Text(label).OnClick(a.toggle)
}

func (a *Answer) toggle(app.Context, app.Event) { a.all = !a.all }

func strangerNote(t *texts.Texts, answer kernel.Answer) string {
	if answer.Nothing() {
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

// speed returns the rate of answers for a camera.
func speed(t *texts.Texts, live kernel.LiveState) string {
	if len(live.Answer.Scores) == 0 || live.Rate == 0 {
		return ""
	}
	return t.Answer.Rate(t.Decimal(live.Rate, 0))
}

// The numbers of visible bars on small and on larger screens.
const (
	fewBars  = 5
	moreBars = 12
)

// leaders returns the ids of the n most probable classes. Previous leaders stay until another class
// has a higher rounded percentage, so that bars do not flicker for invisible differences. The most
// probable class always leads.
func leaders(before []string, classes []kernel.Class, answer kernel.Answer, n int) []string {
	n = min(n, len(classes))
	best := answer.Best()
	rank := func(c kernel.Class) float64 {
		p, _ := answer.Of(c.ID)
		r := math.Round(100 * p)
		if slices.Contains(before, c.ID) {
			r += .5
		}
		if c.ID == best {
			r += 100
		}
		return r
	}
	ranked := slices.Clone(classes)
	slices.SortStableFunc(ranked, func(a, b kernel.Class) int { return cmp.Compare(rank(b), rank(a)) })
	ids := make([]string, n)
	for i, c := range ranked[:n] {
		ids[i] = c.ID
	}
	return ids
}

func listed(ids []string, c kernel.Class) bool { return slices.Contains(ids, c.ID) }
