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
	bars         []string // the classes of its bars
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

func (a *Answer) write(ctx app.Context) {
	t, live := a.Kernel.Texts(), a.Kernel.Live.State()
	var figures strings.Builder
	probabilities := live.Answer.Probabilities()
	for _, id := range a.bars {
		p, known := probabilities[id]
		percent := "–"
		if known {
			percent = t.Percent(p)
		}
		fmt.Fprintf(&figures, "%.4f\t%s\t%s\n", p, t.Percent(p), percent)
	}
	if v := live.Answer.Verdict; v != nil {
		percent := t.Percent(1 - v.Known)
		fmt.Fprintf(&figures, "%.4f\t%s\t%s\n", 1-v.Known, percent, percent)
	}
	figures.WriteString(speed(t, live))
	browser.Studio.Call("fillBars", browser.Of(ctx.JSSrc()), figures.String()) // see web/static/web/drawing.js
}

// considered returns the classes that have bars.
func (a *Answer) considered() []kernel.Class {
	return slices.DeleteFunc(a.Kernel.Classes.List(), func(c kernel.Class) bool { return c.Disabled })
}

// barred returns the classes that get a bar: the leaders, or all if the user wants to see them.
func (a *Answer) barred(considered []kernel.Class) []kernel.Class {
	if a.all {
		return considered
	}
	return slices.DeleteFunc(slices.Clone(considered), func(c kernel.Class) bool {
		return !slices.Contains(a.best, c.ID) && !slices.Contains(a.better, c.ID)
	})
}

// outline describes an answer without its numbers, and updates the visible bars.
func (a *Answer) outline(answer kernel.Answer, considered []kernel.Class) string {
	a.best, a.better = leaders(a.best, considered, answer, fewBars), leaders(a.better, considered, answer, moreBars)
	var known []string
	probabilities := answer.Probabilities()
	for _, c := range a.barred(considered) {
		if _, ok := probabilities[c.ID]; ok {
			known = append(known, c.ID)
		}
	}
	// Package fmt would be slow: browsers take long to compile it.
	drawn := []string{answer.Best(), strconv.FormatBool(answer.Verdict != nil), strconv.FormatBool(answer.Unknown()), note(a.Kernel.Texts(), answer)}
	for _, ids := range [][]string{a.best, a.better, known} {
		drawn = append(append(drawn, strconv.Itoa(len(ids))), ids...)
	}
	return strings.Join(drawn, " ")
}

// Render draws one bar per class, in the order of the classes, and one for images of no class. If
// there are too many classes, only the leaders have bars; the style sheet hides some of them on small screens.
func (a *Answer) Render() app.UI {
	t, answer, considered := a.Kernel.Texts(), a.Kernel.Live.State().Answer, a.considered()
	a.drawn = a.outline(answer, considered)
	var bars []app.UI
	probabilities := answer.Probabilities()
	a.bars = nil
	for _, c := range a.barred(considered) {
		_, known := probabilities[c.ID]
		a.bars = append(a.bars, c.ID)
		bars = append(bars, drawBar(c.Label).
			Class("bar", ui.Hue(c), ui.When(c.ID == answer.Best() && !answer.Unknown(), "best"), ui.When(!known, "unknown"),
				ui.When(!slices.Contains(a.best, c.ID), "not-few"), ui.When(!slices.Contains(a.better, c.ID), "not-more")).
			DataSet("class", c.ID))
	}
	n, label := len(considered), t.Project.ShowFewer
	if !a.all {
		label = t.Project.ShowAll(n)
	}
	if answer.Verdict != nil {
		bars = append(bars, drawBar(t.Improve.Unknown).Class("rest", ui.When(answer.Unknown(), "best")))
	}
	return app.Div().Class("answer", ui.When(answer.Unknown(), "stranger"), ui.When(n > fewBars, "many"), ui.When(n > moreBars, "crowd"), ui.When(a.all, "all")).Body(
		app.If(note(t, answer) != "", app.P().Class("stranger-note").Text(note(t, answer))),
		app.Ul().Class("bars").TabIndex(-1).Aria("label", t.Answer.Bars).Body(bars...),
		app.If(n > fewBars, ui.Button("quiet more", "", "", label).Aria("expanded", a.all).OnClick(ui.Do(func() { a.all = !a.all }))),
		app.P().Class("speed"),
	)
}

// note explains a verdict that the bars alone do not, or is "".
func note(t *texts.Texts, answer kernel.Answer) string {
	switch {
	case answer.Nothing():
		return t.Improve.NothingTip
	case answer.Unknown():
		return t.Improve.UnknownTip
	case answer.Verdict != nil && answer.Verdict.Together:
		return t.Improve.Together
	}
	return ""
}

// drawBar draws a bar without its numbers.
func drawBar(label string) app.HTMLLi {
	return app.Li().Body(
		app.Span().Class("name").Attr("dir", "auto").Title(label).Text(label),
		app.Div().Class("fill", "probability").Role("meter").Aria("label", label).
			Aria("valuemin", 0).Aria("valuemax", 1).Body(app.Div()),
		app.Span().Class("percent").Body(app.If(app.IsServer, app.Text("–"))),
	)
}

// speed returns the rate of answers for a camera.
func speed(t *texts.Texts, live kernel.LiveState) string {
	if len(live.Answer.Scores) == 0 || live.Rate == 0 {
		return ""
	}
	return t.Answer.Rate(int(math.Round(live.Rate)))
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
	best, probabilities := answer.Best(), answer.Probabilities()
	ids, rank := make([]string, len(classes)), make(map[string]float64, len(classes))
	for i, c := range classes {
		r := math.Round(100 * probabilities[c.ID])
		if slices.Contains(before, c.ID) {
			r += .5
		}
		if c.ID == best {
			r += 100
		}
		ids[i], rank[c.ID] = c.ID, r
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(rank[b], rank[a]) })
	return ids[:n]
}

// drawCaption names the most probable class in large letters, with its probability. Before the
// first answer it suggests the next step of teaching.
func (s *Studio) drawCaption() app.UI {
	t, answer := s.Kernel.Texts(), s.Kernel.Live.State().Answer
	class, known := s.verdict()
	switch {
	case known:
		return app.P().Class("caption", ui.Hue(class)).Body(
			app.Span().Attr("dir", "auto").Text(class.Label),
			app.Span().Class("percent").Text(t.Percent(answer.Probabilities()[class.ID])),
		)
	case answer.Unknown():
		return app.P().Class("caption", "stranger").Body(app.Span().Text(t.Improve.Unknown))
	}
	return app.P().Class("caption", "hint").Text(hint(t, s.Kernel.Classes.List()))
}

// drawRing frames the stage in the color of the most probable class, or in gray for something
// unknown.
func (s *Studio) drawRing() app.UI {
	answer, color := s.Kernel.Live.State().Answer, "hidden"
	if class, known := s.verdict(); known {
		color = ui.Hue(class)
	} else if answer.Unknown() {
		color = "stranger"
	}
	return app.Div().Class("ring", color)
}

// verdict returns the class that the latest answer names, if it names one.
func (s *Studio) verdict() (kernel.Class, bool) {
	answer := s.Kernel.Live.State().Answer
	if answer.Unknown() {
		return kernel.Class{}, false
	}
	return s.Kernel.Classes.Find(answer.Best())
}

// hint suggests the next step of teaching, if any; waiting examples count.
func hint(t *texts.Texts, classes []kernel.Class) string {
	var taught int
	for _, c := range classes {
		if len(c.Examples) > 0 || c.Waiting > 0 {
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
