package trial

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	t := New(k)
	page.Show(ui.Improvements, ui.Follow(k, t.view, t, k.Classes, k.Setup, k.Engine))
}

// articleID is the id of the element that gets the focus of its buttons, which disappear.
const articleID = "trial"

// view tests the classifier with files in folders of their classes: it shows the choice of a folder,
// then the progress and the result.
func (p *Trial) view() app.UI {
	t, trial := p.K.Texts(), p.State()
	article := ui.DropTarget(app.Article().ID(articleID).TabIndex(-1).Aria("label", t.Improve.Test).Class("trial", ui.When(p.over, "over")).DataSet("drop", t.Improve.DropTest),
		func(over bool) { p.over = over }, func(e app.Event) {
			if !browser.BringsLink(e) { // which the studio reports
				browser.FoundIn(e, p.found)
			}
		})
	heading, result := app.H3().Text(t.Improve.Test), app.P().Class("said").Role("status")
	if trial == nil {
		return article.Body(result, heading,
			app.P().Class("note").Text(t.Improve.TestNote),
			p.ways(t),
		)
	}
	if trial.All > 0 && !trial.Running {
		result.Text(t.Improve.Accuracy(trial.Right, trial.All))
	}
	return article.Class("done", ui.When(trial.Old, "old")).Body(result,
		app.Header().Body(heading,
			ui.Sign("quiet", "close-test", ui.IconClose, t.Improve.CloseTest).OnClick(ui.Do(func() { p.Close(); browser.Focus(articleID) })),
		),
		app.If(trial.Running, ui.Running(t, t.Improve.Testing(trial.Progress.Done, trial.Progress.All),
			t.Improve.Test, ui.Fraction(trial.Progress), "stop-test", t.Page.Stop, func() { p.Stop(); browser.Focus(articleID) })),
		app.If(trial.Old && !trial.Running, app.Div().Class("outdated").Role("status").Body(
			app.P().Text(t.Improve.TestOld),
			ui.Button("primary small", "test-again", "", t.Improve.TestAgain).OnClick(ui.Do(func() { p.Again(); browser.Focus(articleID) })),
		)),
		app.Div().Class("outcome").Body(
			app.Div().Class("table").Body(
				app.If(trial.All > 0, p.accuracy(t, trial)),
				app.If(trial.All > 0, ui.Matrix(t, t.Improve.Test, p.withUnknown(t, trial, 0), p.withUnknown(t, trial, 1), trial.Counts, nil)),
				app.If(len(trial.Others) > 0, app.P().Class("note").Text(t.Improve.Strangers(strings.Join(trial.Others, ", ")))),
				app.If(len(trial.Broken) > 0, app.P().Class("note").Text(t.Improve.Broken(len(trial.Broken)))),
			),
			app.If(trial.All > trial.Right, p.wrong(t, trial)),
		),
		app.If(!trial.Running, app.Div().Class("another").Body(app.P().Class("note").Text(t.Improve.TestAnother), p.ways(t))),
	)
}

// ways returns the buttons that choose files.
func (p *Trial) ways(t *texts.Texts) app.UI {
	return app.Div().Class("ways").Body(
		ui.File("plain", ui.IconFolder, t.Improve.ChooseFolder, app.Input().ID("test-folder").Attr("webkitdirectory", true).OnChange(p.chosen)),
		ui.File("plain", ui.IconUpload, t.Improve.ChooseZip, app.Input().ID("test-zip").Accept(".zip").OnChange(p.chosen)),
	)
}

// withUnknown returns the classes of a test, with one for unknown if necessary.
func (p *Trial) withUnknown(t *texts.Texts, trial *State, side int) []kernel.Class {
	classes := p.K.Classes.Answering()
	for key := range trial.Counts {
		if key[side] == "" {
			return append(classes, kernel.Class{Label: t.Improve.Unknown, Hue: -1})
		}
	}
	return classes
}

// accuracy shows the share of correct answers, with and without unknown.
func (p *Trial) accuracy(t *texts.Texts, trial *State) app.UI {
	share := func(of, all int) string { return t.Percent(float64(of) / float64(max(all, 1))) }
	unknown := false
	for key := range trial.Counts {
		unknown = unknown || key[0] != "" && key[1] == ""
	}
	return app.P().Class("accuracy").Body(
		app.Strong().Text(share(trial.Right, trial.All)),
		app.Span().Text(t.Improve.Accuracy(trial.Right, trial.All)),
		app.If(unknown, app.Span().Class("note").Text(t.Improve.WithoutUnknown(share(trial.Best, trial.Known)))),
	)
}

// wrong shows misclassified images, or plays the sounds, by kind of mistake.
func (p *Trial) wrong(t *texts.Texts, trial *State) app.UI {
	name := func(id string) string {
		if c, known := p.K.Classes.Find(id); known {
			return c.Label
		}
		return t.Improve.Unknown
	}
	list := []app.UI{app.H4().Text(t.Improve.WrongTitle(trial.All - trial.Right))}
	for _, pair := range trial.Pairs() {
		var files []app.UI
		for _, w := range pair.Wrong {
			shown := app.UI(&ui.Drawn{Element: app.Canvas(), Value: w.number, Draw: func(canvas app.Value) {
				browser.DrawFile(canvas, w.File.Source) // its central square
			}})
			if p.K.Project.OfSounds() {
				label := t.Improve.PlayIt(w.File.Name)
				shown = app.Button().Type("button").Class("plain small").Aria("label", label).Title(label).
					OnClick(playing(w)).
					Body(ui.Icon(ui.IconPlay), app.Span().Text(w.File.Name))
			}
			files = append(files, app.Li().Title(w.File.Name).Body(shown))
		}
		list = append(list,
			app.H5().Text(t.Improve.WrongPair(name(pair.Class), name(pair.Taken), pair.Count)),
			app.Ul().Body(files...))
	}
	return app.Div().Class("mistakes").TabIndex(0).Body(list...)
}

// playing returns the arguments of an OnClick that plays a file and stops the previous one. Files in
// different folders often have the same name. The list of rejected files already reports unreadable ones.
func playing(w Wrong) (handler app.EventHandler, identity any) {
	return ui.Do(func() { browser.Studio.Call("playFile", w.File.Source) }, w.number)
}

// chosen starts a test with chosen files, whose field disappears.
func (p *Trial) chosen(ctx app.Context, _ app.Event) {
	browser.FoundIn(ctx.JSSrc(), p.found)
	browser.Focus(articleID)
}

// found starts a test with the found files.
func (p *Trial) found(files []kernel.File, err error) {
	if err != nil {
		p.Unreadable(err.Error())
		return
	}
	p.Start(files)
}
