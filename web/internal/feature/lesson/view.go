package lesson

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	l := New(k)
	l.connect()
	page.Show(ui.Above, ui.Follow(k, l.view, l, k.Classes, k.Live.Shown))
	page.Show(ui.Offers, func() app.UI { return button(k, "guide-lessons") })
	page.Show(ui.Files, func() app.UI { return button(k, "open-lessons", ui.ProjectsID) })
	page.Dialog(dialogID, ui.Follow(k, l.dialog, l))
	if !k.Project.OfSounds() {
		page.Show(ui.Picture, func() app.UI { return &Pad{Lesson: l} })
	}
}

const (
	dialogID    = "lessons"
	alphabetsID = "alphabets"
)

func (l *Lesson) dialog() app.UI {
	t := &l.K.Texts().Lessons
	var rows []app.UI
	for _, lesson := range lessons.All {
		rows = append(rows, l.row(lesson))
	}
	return ui.Dialog(l.K.Texts(), dialogID, "lessons", t.Title,
		app.P().Class("note").Text(t.About),
		app.Ul().Body(rows...),
	)
}

// row describes a lesson, with buttons that start or continue it and a link to the notes.
func (l *Lesson) row(lesson lessons.Lesson) app.UI {
	t, state := &l.K.Texts().Lessons, l.State()
	words := l.K.Texts().Lesson(lesson.ID)
	var alphabets []ui.Option
	if lesson.Drawn {
		for _, a := range lessons.Alphabets {
			alphabets = append(alphabets, ui.Option{Value: a.ID, Text: t.Alphabets[a.ID]})
		}
	}
	return app.Li().DataSet("lesson", lesson.ID).Body(
		app.H3().Text(words.Title),
		app.P().Text(words.Goal),
		app.P().Class("things").Text(t.Things(words.Classes)),
		app.Div().Class("doing").Body(
			app.If(lesson.Drawn, ui.Selection(alphabetsID, t.Alphabet, lessons.Alphabets[0].ID, alphabets, nil)),
			ui.Button("begin primary", "", "", t.Begin).Aria("label", t.BeginOne(words.Title)).
				DataSet("lesson", lesson.ID).OnClick(ui.Do(func() { l.begin(lesson) }, lesson.ID)),
			app.If(state.ID == lesson.ID, ui.Button("go-on plain", "", "", t.GoOn).
				OnClick(ui.Do(func() { browser.CloseDialog(dialogID); l.begun = true; l.Put(false) }))),
			notesLink(l.K, lesson.ID),
		),
	)
}

// notesLink links to the notes for teachers, in the page's language.
func notesLink(s *kernel.Kernel, id string) app.UI {
	t := &s.Texts().Lessons
	label := t.NotesOf(s.Texts().Lesson(id).Title)
	return app.A().Class("notes").Href("lessons/"+id+"."+s.Texts().Code+".html").
		Target("_blank").Aria("label", label).Title(label).Body(ui.Icon(ui.IconPage), app.Text(t.Notes))
}

// begin starts a lesson, on the other page if it has the other kind.
func (l *Lesson) begin(lesson lessons.Lesson) {
	browser.CloseDialog(dialogID)
	if lesson.Kind != l.K.Project.Kind() {
		browser.GoTo(lesson.Hash())
		return
	}
	l.begun = true
	l.Begin(lesson.ID, app.Window().GetElementByID(alphabetsID).Get("value").String())
}

// arrive moves the focus to a lesson that was begun or continued: the button that had it is gone.
func (l *Lesson) arrive(title app.Value) {
	if l.begun {
		l.begun = false
		title.Call("focus")
	}
}

// button opens the dialog of lessons instead of others.
func button(k *kernel.Kernel, id string, closes ...string) app.UI {
	return ui.Button("plain", id, ui.IconLesson, k.Texts().Lessons.Title).Aria("haspopup", "dialog").
		OnClick(ui.Opens(dialogID, closes...))
}

// view shows the lesson of the project, unless it is hidden: its goal and its steps.
func (l *Lesson) view() app.UI {
	t, state := &l.K.Texts().Lessons, l.State()
	if state.ID == "" || state.Away {
		return app.Section().Class("lesson", "hidden")
	}
	words := l.K.Texts().Lesson(state.ID)
	return app.Section().Class("lesson").Aria("labelledby", "lesson-title").Body(
		app.Header().Body(
			&ui.Drawn{Element: app.H2().ID("lesson-title").TabIndex(-1).Text(words.Title), Value: l.begun, Draw: l.arrive},
			notesLink(l.K, state.ID),
			ui.Sign("quiet", "put-lesson", ui.IconClose, t.PutAway).OnClick(ui.Do(func() { browser.Focus(ui.WorkID); l.Put(true) })),
		),
		app.P().Class("goal").Text(words.Goal),
		l.steps(state),
		app.If(state.Lesson.Drawn, l.drawingsView(state)),
		app.If(state.Judging, l.judge(state)),
		app.If(state.Complete(), app.P().Class("complete").Role("status").Text(t.Complete)),
	)
}

// steps lists the steps, and marks the next one.
func (l *Lesson) steps(state State) app.UI {
	t := &l.K.Texts().Lessons
	words := l.K.Texts().Lesson(state.ID)
	texts := []string{ // in the order of Steps
		words.Teach(state.Examples), words.Test, words.Fool, words.Improve, words.Reach(state.Goal.Done, state.Goal.All),
	}
	var items []app.UI
	next := true
	for i, step := range Steps {
		done := state.Done[step]
		item := app.Li().Class(ui.When(done, "done"), ui.When(next && !done, "next")).DataSet("step", string(step))
		if next && !done {
			item.Aria("current", "step")
			next = false
		}
		items = append(items, item.Body(
			app.If(done, app.Span().Class("point").Role("img").Aria("label", t.Reached).Body(ui.Icon(ui.IconTick))).
				Else(app.Span().Class("point").Aria("hidden", true).Text(strconv.Itoa(i+1))),
			app.Span().Text(texts[i]),
		))
	}
	return app.Ol().Aria("label", t.Steps).Body(items...)
}

// judge asks whether the answer is right, and shows the score.
func (l *Lesson) judge(state State) app.UI {
	t := &l.K.Texts().Lessons
	button := func(id, icon, text string, right bool, mark Mark) app.UI {
		button := ui.Button("plain", id, icon, text).OnClick(ui.Do(func() { l.Judge(right) }, right))
		if state.Still {
			button.Aria("pressed", state.Marked == mark)
		}
		return button
	}
	return app.Div().Class("judge").Role("group").Aria("labelledby", "judge-question").Body(
		app.P().ID("judge-question").Text(t.Judge),
		button("judge-right", ui.IconTick, t.Yes, true, TriedRight),
		button("judge-wrong", ui.IconClose, t.No, false, TriedWrong),
		app.If(!state.Lesson.Drawn && state.Judged > 0, app.P().Class("sum").Role("status").Text(t.Sum(state.Right, state.Judged))),
	)
}

// padSide is the side of the pad in pixels, four times the side of its pictures.
const padSide = 420

// Pad shows the pad on the stage.
type Pad struct {
	app.Compo
	watching
	Lesson *Lesson

	box    app.Value
	opened bool
	pad    browser.Value // the canvas, once its script has loaded
	drawn  bool          // it is not empty
}

// OnMount starts to follow the lesson.
func (p *Pad) OnMount(ctx app.Context) {
	p.box = ctx.JSSrc()
	p.Watch(ctx, p.Lesson.K, p.Lesson)
	p.Also(p.Lesson.Watch(p.follow))
}

// Render shows the pad or nothing.
func (p *Pad) Render() app.UI {
	t, state := &p.Lesson.K.Texts().Lessons, p.Lesson.State()
	return app.Div().Class("pad", ui.When(!state.Drawing, "hidden")).Body(
		app.P().Class(ui.When(state.Drawn != nil, "hidden")).Text(t.PadHint),
		app.Canvas().Width(padSide).Height(padSide).Role("img").Aria("label", t.Pad),
	)
}

// follow starts drawing once the pad is visible, and clears a used drawing.
func (p *Pad) follow() {
	state := p.Lesson.State()
	if state.Drawing && !p.opened {
		p.opened = true
		drew := browser.Callback(func(args []browser.Value) { // after each stroke
			go p.Lesson.Drew(&kernel.File{Name: p.Lesson.K.Texts().Lessons.Drawing, Source: args[0]})
		})
		pad := browser.Studio.Call("pad", browser.Of(p.box.Get("lastElementChild")), drew)
		go func() { p.pad, _ = browser.Await(pad) }()
	}
	before := p.drawn
	if p.drawn = state.Drawn != nil; before && !p.drawn && p.pad.Truthy() {
		p.pad.Call("wipe")
	}
}
