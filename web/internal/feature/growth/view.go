package growth

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	g := New(k)
	fold := func(bool) { g.Show(false) }
	page.Show(ui.Improvements, ui.WhileShown(fold, k, g.view, g, k.Classes))
}

// view shows the curve in a fold: a sentence with advice, a drawing and a table.
func (v *Growth) view() app.UI {
	t, state := v.K.Texts(), v.State()
	return app.Article().Class("growth", ui.When(!state.Shown, "folded")).Body(
		app.Header().Body(
			app.H3().Text(t.Growth.Title),
			ui.FoldButton("show-growth", state.Shown, t.Growth.Show, t.Growth.Hide, v.Show),
			app.If(state.Shown && state.Busy && !state.TooFew, app.Span().Class("busy").Text(t.Growth.Busy(t.Percent(ui.Fraction(state.Progress))))),
		),
		app.If(state.Shown, v.curve(t, state)),
	)
}

func (v *Growth) curve(t *texts.Texts, state State) app.UI {
	if state.TooFew {
		return app.P().Class("note").Text(t.Growth.TooFew)
	}
	g := state.Growth
	if g == nil {
		return app.P().Class("note").Text(t.Growth.Note)
	}
	var classes []kernel.Class
	var of []answer.CurveClass
	for _, found := range g.Classes {
		if class, ok := v.K.Classes.Find(found.ID); ok {
			classes, of = append(classes, class), append(of, found)
		}
	}
	var says app.UI
	if last := len(g.Points) - 1; last > 0 && g.Done == g.Total {
		says = app.P().Class("says").Body(
			app.Span().ID("growth-says").Text(t.Growth.Says(g.Points[0].Examples, OfHundred(g.Points[0].Right), OfHundred(g.Points[last].Right))),
			app.Span().ID("growth-hints").Text(v.advice(t, g)),
		)
	}
	return app.Div().Class("found").Body(
		app.If(says != nil, says),
		app.Div().Class("chart").Aria("hidden", true).Body(
			app.Div().Class("up").Body(app.Span().Text(t.Percent(1)), app.Span().Text(t.Percent(0.5)), app.Span().Text(t.Percent(0))),
			app.Raw(growthDrawing(g, classes, of)),
			app.Raw(marks(t, g)),
			app.P().Class("unit").Text(t.Growth.Examples),
		),
		growthTable(t, g, classes, of),
		app.P().Class("note").Text(t.Growth.Note),
	)
}

// advice returns the hints in words.
func (v *Growth) advice(t *texts.Texts, g *answer.Curve) (said string) {
	for _, hint := range hints(g) {
		class, ok := v.K.Classes.Find(hint.ClassID)
		switch {
		case hint.Verdict == Well:
			said += " " + t.Growth.Well
		case ok && hint.Verdict == Helps:
			said += " " + t.Growth.Helps(class.Label, OfHundred(hint.Half), OfHundred(hint.All))
		case ok:
			said += " " + t.Growth.Flat(class.Label, OfHundred(hint.All))
		}
	}
	return said
}

// horizontalPositions returns the horizontal positions of the points in percent, on a logarithmic scale. An
// incomplete curve leaves room for more points.
func horizontalPositions(g *answer.Curve) []float64 {
	growth := func(point int) float64 { return float64(g.Points[point].Examples) / float64(g.Points[0].Examples) }
	most := math.Log(max(2, growth(len(g.Points)-1)))
	at := make([]float64, len(g.Points))
	for i := range g.Points {
		at[i] = 3 + 94*math.Log(growth(i))/most
	}
	return at
}

// marks returns the numbers of examples below the drawing; the last is labeled "all".
func marks(t *texts.Texts, g *answer.Curve) string {
	at := horizontalPositions(g)
	var b strings.Builder
	b.WriteString(`<svg class="along" focusable="false">`)
	for i := range g.Points {
		if i > 0 && i < len(g.Points)-1 && (at[i]-at[i-1] < 6 || at[len(at)-1]-at[i] < 6) {
			continue
		}
		fmt.Fprintf(&b, `<text x="%.1f%%" y="1em" text-anchor="middle">%s</text>`, at[i], html.EscapeString(growthNumber(t, g, i)))
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// growthNumber returns the label of a point.
func growthNumber(t *texts.Texts, g *answer.Curve, point int) string {
	if point == len(g.Points)-1 && g.Done == g.Total {
		return t.Growth.AllOf
	}
	return fmt.Sprint(g.Points[point].Examples)
}

// growthDrawing draws a line per class, and the mean with a band.
func growthDrawing(g *answer.Curve, classes []kernel.Class, of []answer.CurveClass) string {
	at := horizontalPositions(g)
	y := func(share float64) float64 { return 96 - 92*min(max(share, 0), 1) }
	var b strings.Builder
	b.WriteString(`<svg class="lines" viewBox="0 0 100 100" preserveAspectRatio="none" focusable="false"><path class="grid" d="M0 4H100M0 50H100M0 96H100"></path>`)
	for i, class := range classes {
		line := ""
		for point := range g.Points {
			if share, ok := of[i].Share(point); ok {
				line += fmt.Sprintf("%s%.1f %.1f", step(line), at[point], y(share))
			}
		}
		if line != "" {
			fmt.Fprintf(&b, `<path class="class %s" d="%s"></path>`, ui.Hue(class), line)
		}
	}
	upper, lower, line, dots := "", "", "", ""
	for i, p := range g.Points {
		upper += fmt.Sprintf("%s%.1f %.1f", step(upper), at[i], y(p.Right+p.Spread))
		lower = fmt.Sprintf("L%.1f %.1f", at[i], y(p.Right-p.Spread)) + lower
		line += fmt.Sprintf("%s%.1f %.1f", step(line), at[i], y(p.Right))
		dots += fmt.Sprintf("M%.1f %.1fh0", at[i], y(p.Right))
	}
	fmt.Fprintf(&b, `<path class="band" d="%s%sZ"></path><path class="all" d="%s"></path><path class="dots" d="%s"></path></svg>`, upper, lower, line, dots)
	return b.String()
}

// step returns the path command of the next point.
func step(line string) string {
	if line == "" {
		return "M"
	}
	return "L"
}

// growthTable shows the accuracies in a table, with a column per number of examples.
func growthTable(t *texts.Texts, g *answer.Curve, classes []kernel.Class, of []answer.CurveClass) app.UI {
	head := []app.UI{app.Th().Class("corner").Text(t.Growth.Examples)}
	every := []app.UI{app.Th().Scope("row").Text(t.Growth.Every)}
	for i, p := range g.Points {
		head = append(head, app.Th().Scope("col").Text(growthNumber(t, g, i)))
		every = append(every, app.Td().Text(t.Percent(p.Right)))
	}
	body := []app.UI{app.Tr().Class("every").Body(every...)}
	for i, class := range classes {
		cells := []app.UI{app.Th().Scope("row").Class(ui.Hue(class)).Title(class.Label).Body(app.Span().Class("swatch"), app.Span().Class("label").Attr("dir", "auto").Text(class.Label))}
		for point := range g.Points {
			if share, ok := of[i].Share(point); ok {
				cells = append(cells, app.Td().Text(t.Percent(share)))
			} else {
				cells = append(cells, app.Td().Title(t.Growth.Alone).Text("–"))
			}
		}
		body = append(body, app.Tr().Body(cells...))
	}
	return app.Div().Class("matrix").TabIndex(0).Role("region").Aria("label", t.Growth.Chart).Body(
		app.Table().Body(app.THead().Body(app.Tr().Body(head...)), app.TBody().Body(body...)),
	)
}
