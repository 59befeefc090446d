package why

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// ComparisonID is the id of the dialog of a comparison.
const ComparisonID = "comparison"

// Closer is the dialog of a comparison: each image rebuilt from the best matching parts of the
// other, a table of all pairs, and the same for other classes.
type Closer struct {
	app.Compo
	watching
	Why *Why
}

// Render shows the comparison while it is open.
func (c *Closer) Render() app.UI {
	compared := c.Why.State().Comparison
	dialog := app.Dialog().ID(ComparisonID).Aria("labelledby", "comparison-title").On("close", c.closed).OnClick(c.outside)
	if compared == nil {
		return dialog.Class("closer").Body()
	}
	t := c.Why.K.Texts()
	class, _ := c.Why.K.Classes.Find(compared.Match.ClassID)
	title := t.Why.TitleOf(class.Label)
	if compared.Match.ClassID != compared.Match.Answer.Best() {
		title = t.Why.TitleNot(class.Label)
	}
	return dialog.Class("closer", ui.Hue(class), ui.When(compared.ClassID != compared.Match.ClassID, "waiting")).Body(
		app.Header().Body(
			app.H2().ID("comparison-title").Text(title),
			app.Span().Class("alike").Text(t.Why.Alike(t.Percent(compared.Match.Alike()))),
			app.Button().Type("button").Class("quiet").Aria("label", t.Why.Close).OnClick(c.close).Body(ui.Icon(ui.IconClose)),
		),
		app.Div().Class("versus").Body(
			c.classes(t, compared),
			lead(c.Why.K, compared.Match),
		),
		app.Div().Class("panes").Body(
			app.Div().Class("pictures").Body(
				app.Div().Class("figures").Body(
					c.figure(figurePicture, t.Why.Picture),
					c.figure(figurePictureBuilt, t.Why.PictureBuilt),
					c.figure(figureExample, t.Why.ExampleOf(class.Label)),
					c.figure(figureExampleBuilt, t.Why.ExampleBuilt),
				),
				app.P().Class("words").Text(t.Why.BuiltNote),
			),
			app.Div().Class("pairs").Body(
				&TableCanvas{Why: c.Why, Texts: t},
				app.P().Class("words").Text(t.Why.TableNote),
				app.Div().Class("pair").Body(
					&PairCanvas{Why: c.Why, Texts: t},
					app.P().Role("status").Text(pairWords(t, compared)),
				),
			),
		),
	)
}

// classes shows the other classes, the most probable first.
func (c *Closer) classes(t *texts.Texts, compared *Comparison) app.UI {
	var buttons []app.UI
	for _, score := range compared.Match.Answer.Scores {
		class, known := c.Why.K.Classes.Find(score.ID)
		if !known || len(class.Examples) == 0 {
			continue
		}
		buttons = append(buttons, app.Button().Type("button").
			Class("class", ui.Hue(class)).DataSet("class", class.ID).
			Aria("pressed", class.ID == compared.ClassID).
			OnClick(c.compare(class.ID), class.ID).
			Body(
				app.Span().Class("swatch"),
				app.Span().Class("name").Dir("auto").Text(class.Label),
				app.Span().Class("percent").Text(t.Percent(score.Score)),
			))
	}
	return app.Div().Class("compare").Role("group").Aria("label", t.Why.Compare).Body(buttons...)
}

// figure shows one of the four images, with its name.
func (c *Closer) figure(kind figureKind, name string) app.UI {
	return app.Figure().Body(
		&FigureCanvas{Why: c.Why, Figure: kind, Label: name},
		app.FigCaption().Text(name),
	)
}

// pairWords describes the pointed-at pair.
func pairWords(t *texts.Texts, compared *Comparison) string {
	m, p := compared.Match, compared.Pair
	alike, sent := t.Percent(max(0, m.Similarity[p.From*m.To.N()+p.To])), m.Mass(p.From, p.To)
	if sent <= 0 {
		return t.Why.PairApart(alike)
	}
	return t.Why.Pair(t.Number.Percent(t.Decimal(100*sent/m.Total, 1)), alike)
}

func (c *Closer) compare(id string) app.EventHandler {
	return func(app.Context, app.Event) { c.Why.CompareWith(id) }
}

func (c *Closer) close(app.Context, app.Event) { browser.CloseDialog(ComparisonID) }

// outside closes the dialog on a click on its backdrop.
func (c *Closer) outside(ctx app.Context, e app.Event) {
	if e.Get("target").Equal(ctx.JSSrc()) {
		browser.CloseDialog(ComparisonID)
	}
}

// closed handles every way to close the dialog, such as the Escape key.
func (c *Closer) closed(app.Context, app.Event) { c.Why.CloseComparison() }
