package review

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	r := New(k)
	v := &view{Reviews: r, page: page}
	page.Show(ui.Below, ui.Follow(k, v.panel, r, k.Classes, k.Engine))
	page.Show(ui.Improvements, ui.Follow(k, v.unknown, r, k.Setup, k.Classes))
	r.Show(browser.Roomy())
}

// view shows ways to improve the classifier: outliers, confusions, unknown images, a test, and
// training.
type view struct {
	*Reviews
	page *ui.Page
	from string // the id of the heading of the part that picked the examples
}

// panel shows the parts; one line while they are hidden; nothing before the first example.
func (v *view) panel() app.UI {
	t, state := v.K.Texts(), v.State()
	if !slices.ContainsFunc(v.K.Classes.List(), func(c kernel.Class) bool { return len(c.Examples) > 0 }) {
		return app.Section().Class("improve", "hidden")
	}
	var parts app.UI
	if state.Shown { // app.If would draw the table of a closed panel, too
		parts = v.parts(t, state)
	}
	return app.Section().Class("improve", "panel", ui.When(!state.Shown, "folded")).Aria("labelledby", "improve-title").Body(
		app.Header().Body(
			app.H2().ID("improve-title").Text(t.Improve.Title),
			ui.FoldButton("show-improve", state.Shown, t.Improve.Show, t.Improve.Hide, v.Show),
			app.If(state.Shown && state.Busy && state.Review != nil, app.Span().Class("busy").Text(t.Improve.Busy)),
		),
		parts,
	)
}

func (v *view) parts(t *texts.Texts, state State) app.UI {
	switch {
	case state.Review != nil:
	case state.Due:
		return app.P().Class("wait").Text(t.Improve.Busy)
	default:
		return app.P().Class("wait").Text(t.Improve.Waiting)
	}
	own := []app.UI{v.checks(t, state), v.confusion(t, state.Review), v.picked(t, state)}
	return app.Div().Class("parts").Body(append(own, v.page.At(ui.Improvements)...)...)
}

// The ids of headings that get the focus of buttons that disappear.
const (
	checksID    = "improve-checks"
	pickedID    = "improve-picked"
	confusionID = "improve-confusion"
)

func (v *view) checks(t *texts.Texts, state State) app.UI {
	var lines []app.UI
	few := state.Few[:min(len(state.Few), mostFew)]
	for _, c := range few {
		lines = append(lines, app.Li().Class("warning").Text(t.Improve.Few(len(c.Examples), c.Label)))
	}
	if more := len(state.Few) - len(few); more > 0 {
		lines = append(lines, app.Li().Class("warning").Text(t.Notice.More(more)))
	}
	for _, problem := range []string{"dark", "bright", "blurred", "twin", "mislabeled", "unjudged"} {
		ids := state.Review.Having(problem)
		switch {
		case len(ids) == 0:
		case problem == "mislabeled":
			lines = append(lines, v.mislabeled(t, state.Review, ids))
		default:
			lines = append(lines, app.Li().Class("warning").DataSet("problem", problem).Title(ui.When(problem == "twin", t.Improve.TwinsTip)).Body(
				app.Span().Text(flaw(t, problem, len(ids))),
				v.look(t, problem, len(ids)),
			))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, app.Li().Class("well").Text(t.Improve.AllWell))
	}
	return app.Article().Class("checks").Body(
		app.H3().ID(checksID).TabIndex(-1).Text(t.Improve.Checks),
		app.Ul().Body(lines...),
	)
}

// mostFew is the number of classes with too few examples that are named; others are counted.
const mostFew = 5

func flaw(t *texts.Texts, problem string, n int) string {
	return map[string]func(int) string{
		"dark": t.Improve.Dark, "bright": t.Improve.Bright, "blurred": t.Improve.Blurred,
		"twin": t.Improve.Twins, "mislabeled": t.Improve.Mislabeled, "unjudged": t.Improve.Unjudged,
	}[problem](n)
}

// mislabeled shows the examples that are probably in the wrong class, with buttons that move
// or remove all.
func (v *view) mislabeled(t *texts.Texts, review *Review, ids []string) app.UI {
	var pictures []app.UI
	moves := review.Moves(ids)
	for _, id := range ids[:min(len(ids), mostMislabeled)] {
		class, _ := v.K.Classes.OwnerOf(id)
		taken, _ := v.K.Classes.Find(moves[id])
		pictures = append(pictures, app.Li().Class(ui.Hue(class)).Title(t.Improve.Taken(class.Label, taken.Label)).
			DataSet("example", id).Body(ui.ExamplePicture(id)))
	}
	return app.Li().Class("mislabeled").Body(
		app.P().Text(t.Improve.Mislabeled(len(ids))),
		app.Ul().Body(pictures...),
		app.Div().Class("acts").Body(
			v.look(t, "mislabeled", len(ids)).ID("look-mislabeled"),
			ui.Button("plain small", "move-mislabeled", "", t.Improve.Move(len(ids))).
				OnClick(ui.Do(func() { v.K.Classes.MoveExamples(moves); browser.Focus(checksID) }, moves)),
			ui.Button("plain small", "remove-mislabeled", "", t.Improve.Remove(len(ids))).
				OnClick(ui.Do(func() { v.K.Classes.RemoveExamples(ids...); browser.Focus(checksID) }, ids)),
		),
	)
}

// mostMislabeled is the number of mislabeled examples in the list; a button shows all.
const mostMislabeled = 10

// confusion shows the table of leave-one-out answers.
func (v *view) confusion(t *texts.Texts, review *Review) app.UI {
	right, all := review.Accuracy()
	article := app.Article().Class("confusion")
	heading := app.H3().ID(confusionID).TabIndex(-1).Text(t.Improve.Confusion)
	if all == 0 {
		return article.Body(heading, app.P().Class("note").Text(t.Improve.TooFewToTell))
	}
	classes := v.K.Classes.Answering()
	columns := classes
	for _, c := range v.K.Classes.Nothing() {
		if slices.ContainsFunc(review.Examples, func(e answer.ReviewedExample) bool { return e.Taken == c.ID }) {
			c.Hue = -1
			columns = append(slices.Clip(columns), c)
		}
	}
	counts := map[[2]string]int{}
	for _, e := range review.Examples {
		counts[[2]string{e.ClassID, e.Taken}]++
	}
	open := func(row, column kernel.Class) app.EventHandler {
		return func(ctx app.Context, _ app.Event) {
			v.pickConfusion(row.ID, column.ID)
			toPicked(ctx)
		}
	}
	return article.Class(ui.When(len(columns) > tableBesideOthers, "wide")).Body(heading,
		ui.Matrix(t, t.Improve.Confusion, classes, columns, counts, open),
		app.P().Class("note").Text(t.Improve.ConfusionNote(right, all)),
	)
}

// pickConfusion shows the examples of class row that are classified as class column.
func (v *view) pickConfusion(row, column string) {
	title := func(t *texts.Texts, _ int) string {
		from, _ := v.K.Classes.Find(row)
		to, _ := v.K.Classes.Find(column)
		return t.Improve.Taken(from.Label, to.Label)
	}
	v.from = confusionID
	v.Pick(title, func(r *Review) []string { return r.Confusion(row, column) })
}

// toPicked moves the focus to the picked examples, once they are drawn.
func toPicked(ctx app.Context) {
	ctx.Defer(func(app.Context) { browser.Focus(pickedID) })
}

// tableBesideOthers is the maximum number of columns of a table next to other parts.
const tableBesideOthers = 5

// picked shows the picked examples, each with a button that removes it and, if it is taken for
// another class, one that moves it there.
func (v *view) picked(t *texts.Texts, state State) app.UI {
	if state.Picked == nil {
		return app.Article().Class("picked", "hidden")
	}
	var pictures []app.UI
	moves, next := state.Review.Moves(state.Picked), "picked-done"
	if len(state.Picked) == 1 {
		next = v.from // the list closes
	}
	for _, id := range state.Picked {
		class, known := v.K.Classes.OwnerOf(id)
		if !known {
			continue
		}
		n := slices.Index(class.Examples, id) + 1
		taken, other := v.K.Classes.Find(moves[id])
		move := func() { v.K.Classes.MoveExamples(map[string]string{id: taken.ID}); browser.Focus(next) }
		pictures = append(pictures, app.Li().Class(ui.Hue(class)).DataSet("example", id).Body(
			ui.ExamplePicture(id),
			ui.Sign("remove", "", ui.IconTrash, t.Improve.RemoveIt(n, class.Label)).OnClick(ui.Do(func() { v.K.Classes.RemoveExamples(id); browser.Focus(next) }, id, next)),
			app.If(other, ui.Button("plain small move", "", ui.IconArrow, taken.Label).Title(t.Improve.MoveIt(n, class.Label, taken.Label)).
				Aria("label", t.Improve.MoveIt(n, class.Label, taken.Label)).OnClick(ui.Do(move, id, taken.ID, next))),
		))
	}
	return app.Article().Class("picked").Body(
		app.Header().Body(
			app.H3().ID(pickedID).TabIndex(-1).Text(state.Title(t, len(state.Picked))),
			ui.Button("plain small", "picked-done", "", t.Page.Done).OnClick(ui.Do(func() { v.Pick(nil, nil); browser.Focus(v.from) })),
		),
		app.Ul().Body(pictures...),
	)
}

// look returns the button that shows the n examples of a problem.
func (v *view) look(t *texts.Texts, problem string, n int) app.HTMLButton {
	pick := func(ctx app.Context, _ app.Event) {
		v.pickFlaw(problem)
		toPicked(ctx)
	}
	return ui.Button("plain small", "", "", t.Improve.Look).Aria("label", t.Improve.Look+": "+flaw(t, problem, n)).OnClick(pick, problem)
}

// pickFlaw shows the examples with a problem that flaw describes.
func (v *view) pickFlaw(problem string) {
	title := func(t *texts.Texts, n int) string { return flaw(t, problem, n) }
	v.from = checksID
	v.Pick(title, func(r *Review) []string { return r.Having(problem) })
}
