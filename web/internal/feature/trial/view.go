package trial

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	t := New(k)
	page.Show(ui.Improvements, func() app.UI {
		return &View{watching: ui.Watches(t.K, t, t.K.Classes, t.K.Setup, t.K.Engine), Trial: t}
	})
}

// View tests the classifier with files in folders of their classes.
type View struct {
	app.Compo
	watching
	Trial *Trial
	over  bool // files are dragged over it
}

// Render shows the choice of a folder, then the progress and the result.
func (p *View) Render() app.UI {
	t, trial := p.Trial.K.Texts(), p.Trial.State()
	article := app.Article().Class("trial", ui.When(p.over, "over")).DataSet("drop", t.Improve.DropTest).
		On("dragover", p.dragOver).On("dragleave", p.dragLeave).On("drop", p.drop)
	heading := app.H3().Text(t.Improve.Test)
	if trial == nil {
		return article.Body(heading,
			app.P().Class("note").Text(t.Improve.TestNote),
			p.ways(t),
		)
	}
	return article.Class("done", ui.When(trial.Old, "old")).Body(
		app.Header().Body(heading,
			app.Button().Type("button").Class("quiet").ID("close-test").Aria("label", t.Improve.CloseTest).Title(t.Improve.CloseTest).
				OnClick(p.close).Body(ui.Icon(ui.IconClose)),
		),
		app.If(trial.Running, ui.Running(t, t.Improve.Testing(trial.Progress.Done, trial.Progress.All),
			t.Improve.Test, ui.Fraction(trial.Progress), "stop-test", t.Improve.Stop, p.stop)),
		app.If(trial.Old && !trial.Running, app.Div().Class("outdated").Role("status").Body(
			app.P().Text(t.Improve.TestOld),
			app.Button().Type("button").Class("primary small").ID("test-again").Text(t.Improve.TestAgain).OnClick(p.again),
		)),
		app.Div().Class("outcome").Body(
			app.Div().Class("table").Body(
				app.If(trial.All > 0, p.accuracy(t, trial)),
				app.If(trial.All > 0, p.matrix(t, trial)),
				app.If(len(trial.Others) > 0, app.P().Class("note").Text(t.Improve.Strangers(strings.Join(trial.Others, ", ")))),
				app.If(len(trial.Broken) > 0, app.P().Class("note").Text(t.Improve.Broken(len(trial.Broken)))),
			),
			app.If(trial.All > trial.Right, p.wrong(t, trial)),
		),
		app.If(!trial.Running, app.Div().Class("another").Body(app.P().Class("note").Text(t.Improve.TestAnother), p.ways(t))),
	)
}

// ways are the buttons that choose files.
func (p *View) ways(t *texts.Texts) app.UI {
	return app.Div().Class("ways").Body(
		app.Label().Class("file plain").Body(ui.Icon(ui.IconFolder), app.Span().Text(t.Improve.ChooseFolder),
			app.Input().Type("file").ID("test-folder").Attr("webkitdirectory", true).OnChange(p.chosen)),
		app.Label().Class("file plain").Body(ui.Icon(ui.IconUpload), app.Span().Text(t.Improve.ChooseZip),
			app.Input().Type("file").ID("test-zip").Accept(".zip").OnChange(p.chosen)),
	)
}

// withUnknown returns the classes of a test, with one for unknown if necessary.
func (p *View) withUnknown(t *texts.Texts, trial *State, side int) []kernel.Class {
	classes := p.Trial.K.Classes.Answering()
	for key := range trial.Counts {
		if key[side] == "" {
			return append(classes, kernel.Class{Label: t.Improve.Unknown, Hue: -1})
		}
	}
	return classes
}

// accuracy shows the share of correct answers, and what it would be without unknown.
func (p *View) accuracy(t *texts.Texts, trial *State) app.UI {
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

func (p *View) matrix(t *texts.Texts, trial *State) app.UI {
	return ui.Matrix(t, t.Improve.Test, p.withUnknown(t, trial, 0), p.withUnknown(t, trial, 1), func(row, column string) int {
		return trial.Counts[[2]string{row, column}]
	}, nil)
}

// wrong shows misclassified images, or plays the sounds, by kind of mistake.
func (p *View) wrong(t *texts.Texts, trial *State) app.UI {
	name := func(id string) string {
		if c, known := p.Trial.K.Classes.Find(id); known {
			return c.Label
		}
		return t.Improve.Unknown
	}
	list := []app.UI{app.H4().Text(t.Improve.WrongTitle(trial.All - trial.Right))}
	for _, pair := range trial.Pairs() {
		var files []app.UI
		for _, w := range pair.Wrong {
			var shown app.UI = &FilePicture{File: w.File}
			if p.Trial.K.Project.OfSounds() {
				shown = &FileSound{File: w.File, Label: t.Improve.PlayIt(w.File.Name)}
			}
			files = append(files, app.Li().Title(w.File.Name).Body(shown))
		}
		list = append(list,
			app.H5().Text(t.Improve.WrongPair(name(pair.Class), name(pair.Taken), pair.Count)),
			app.Ul().Body(files...))
	}
	return app.Div().Class("mistakes").TabIndex(0).Body(list...)
}

func (p *View) chosen(ctx app.Context, _ app.Event) { browser.FoundIn(ctx.JSSrc(), p.start) }

// start starts a test with the found files.
func (p *View) start(entries []kernel.Entry, err error) {
	if err != nil {
		p.Trial.Unreadable(err.Error())
		return
	}
	p.Trial.Start(entries)
}

func (p *View) stop(app.Context, app.Event)  { p.Trial.Stop() }
func (p *View) again(app.Context, app.Event) { p.Trial.Again() }
func (p *View) close(app.Context, app.Event) { p.Trial.Close() }

func (p *View) dragOver(_ app.Context, e app.Event) {
	e.PreventDefault()
	p.over = true
}

func (p *View) dragLeave(app.Context, app.Event) { p.over = false }

func (p *View) drop(_ app.Context, e app.Event) {
	e.PreventDefault()
	p.over = false
	browser.FoundIn(e, p.start)
}

// FilePicture shows the central square of an image file.
type FilePicture struct {
	app.Compo
	File kernel.File
}

// Render shows the canvas.
func (p *FilePicture) Render() app.UI { return app.Canvas() }

// OnMount draws the picture.
func (p *FilePicture) OnMount(ctx app.Context) { browser.DrawFile(ctx.JSSrc(), p.File.Source) }

// OnUpdate draws the picture of another test.
func (p *FilePicture) OnUpdate(ctx app.Context) { p.OnMount(ctx) }

// FileSound plays a sound file.
type FileSound struct {
	app.Compo
	File  kernel.File
	Label string
}

// Render shows a button with the name of the file.
func (p *FileSound) Render() app.UI {
	return app.Button().Type("button").Class("plain small").Aria("label", p.Label).Title(p.Label).OnClick(p.play).
		Body(ui.Icon(ui.IconPlay), app.Span().Text(p.File.Name))
}

func (p *FileSound) play(app.Context, app.Event) { browser.Play(p.File.Source) }
