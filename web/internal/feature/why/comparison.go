package why

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

const comparisonID = "comparison"

// dialog shows a comparison while it is open: each image rebuilt from the best matching parts of the
// other, a table of all pairs, and the same for other classes.
func (w *Why) dialog() app.UI {
	compared := w.State().Comparison
	// There are other ways to close it, such as the Escape key.
	closed := func(app.Context, app.Event) { w.CloseComparison() }
	dialog := app.Dialog().ID(comparisonID).Class("settings", "closer").Aria("labelledby", "comparison-title").On("close", closed).OnClick(outside)
	if compared == nil {
		return dialog.Body()
	}
	t := w.K.Texts()
	class, _ := w.K.Classes.Find(compared.Match.ClassID)
	return dialog.Class(ui.Hue(class), ui.When(compared.ClassID != compared.Match.ClassID, "waiting")).Body(
		app.Header().Body(
			app.H2().ID("comparison-title").Text(question(t, class, compared.Match)),
			app.Span().Class("alike").Text(t.Why.Alike(t.Percent(compared.Match.Alike()))),
			app.Button().Type("button").Class("quiet").Aria("label", t.Page.Close).OnClick(ui.Do(closeDialog)).Body(ui.Icon(ui.IconClose)),
		),
		app.Div().Class("versus").Body(
			w.classes(t, compared),
			evidenceBars(w.K, compared.Match),
		),
		app.Div().Class("panes").Body(
			app.Div().Class("pictures").Body(
				app.Div().Class("figures").Body(
					w.figure(figurePicture, t.Why.Picture),
					w.figure(figurePictureBuilt, t.Why.PictureBuilt),
					w.figure(figureExample, t.Why.ExampleOf(class.Label)),
					w.figure(figureExampleBuilt, t.Why.ExampleBuilt),
				),
				app.P().Class("words").Text(t.Why.BuiltNote),
			),
			app.Div().Class("pairs").Body(
				&board{Why: w, Drawing: tableDrawing{}, Closer: true, Name: t.Why.Table},
				app.P().Class("words").Text(t.Why.TableNote),
				app.Div().Class("pair").Body(
					&board{Why: w, Drawing: pairDrawing{}, Closer: true, Name: t.Why.PairLabel},
					app.P().Role("status").Text(pairWords(t, compared)),
				),
			),
		),
	)
}

// classes shows the other classes, the most probable first.
func (w *Why) classes(t *texts.Texts, compared *Comparison) app.UI {
	var buttons []app.UI
	for _, score := range compared.Match.Answer.Scores {
		class, known := w.K.Classes.Find(score.ID)
		if !known || len(class.Examples) == 0 {
			continue
		}
		buttons = append(buttons, app.Button().Type("button").
			Class("class", ui.Hue(class)).DataSet("class", class.ID).
			Aria("pressed", class.ID == compared.ClassID).
			OnClick(ui.Do(func() { w.CompareWith(class.ID) }, class.ID)).
			Body(
				app.Span().Class("swatch"),
				app.Span().Class("name").Dir("auto").Text(class.Label),
				app.Span().Class("percent").Text(t.Percent(score.Score)),
			))
	}
	return app.Div().Class("compare").Role("group").Aria("label", t.Why.Compare).Body(buttons...)
}

// figure shows one of the four images, with its name.
func (w *Why) figure(kind figureDrawing, name string) app.UI {
	return app.Figure().Body(
		&board{Why: w, Drawing: kind, Closer: true, Name: name},
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

func closeDialog() { browser.CloseDialog(comparisonID) }

// outside closes the dialog on a click on its backdrop.
func outside(ctx app.Context, e app.Event) {
	if e.Get("target").Equal(ctx.JSSrc()) {
		closeDialog()
	}
}
