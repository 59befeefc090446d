package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/session"
)

// LessonsID is the id of the dialog of lessons.
const LessonsID = "lessons"

// Lessons is the dialog where a lesson is begun.
type Lessons struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the lesson.
func (l *Lessons) OnMount(ctx app.Context) { l.watch(ctx, l.Session, l.Session.Lesson) }

// Render lists the lessons.
func (l *Lessons) Render() app.UI {
	t := &l.Session.Texts().Lessons
	var rows []app.UI
	for _, lesson := range lessons.All {
		rows = append(rows, l.lesson(lesson))
	}
	return app.Dialog().ID(LessonsID).Class("settings", "lessons").Aria("labelledby", "lessons-title").Body(
		app.Header().Body(
			app.H2().ID("lessons-title").Text(t.Title),
			app.Button().Type("button").Class("quiet").Aria("label", l.Session.Texts().Settings.Close).OnClick(l.close).Body(icon(iconClose)),
		),
		app.Div().Class("parts").Body(
			app.P().Class("note").Text(t.About),
			app.Ul().Body(rows...),
		),
	)
}

// alphabetsID is the id of the list of alphabets.
const alphabetsID = "alphabets"

// lesson says what a lesson is about; buttons begin it, or go on with it, and lead to the
// notes.
func (l *Lessons) lesson(lesson lessons.Lesson) app.UI {
	t, state := &l.Session.Texts().Lessons, l.Session.Lesson.State()
	words := t.Of(string(lesson.ID))
	var alphabets []option
	if lesson.Drawn {
		for _, a := range lessons.Alphabets {
			alphabets = append(alphabets, option{a.ID, t.Alphabets[a.ID]})
		}
	}
	return app.Li().DataSet("lesson", string(lesson.ID)).Body(
		app.H3().Text(words.Title),
		app.P().Text(words.Goal),
		app.P().Class("things").Text(t.Things(words.Classes)),
		app.Div().Class("doing").Body(
			app.If(lesson.Drawn, selection(alphabetsID, t.Alphabet, lessons.Alphabets[0].ID, alphabets, nil)),
			app.Button().Type("button").Class("begin", "primary").Aria("label", t.BeginOne(words.Title)).
				DataSet("lesson", string(lesson.ID)).OnClick(l.begin).Text(t.Begin),
			app.If(state.ID == lesson.ID, app.Button().Type("button").Class("go-on", "plain").OnClick(l.goOn).Text(t.GoOn)),
			notesLink(l.Session, lesson.ID),
		),
	)
}

// notesLink leads to the notes for teachers, in the language of the page.
func notesLink(s *session.Session, id lessons.ID) app.UI {
	t := &s.Texts().Lessons
	label := t.NotesOf(t.Of(string(id)).Title)
	return app.A().Class("notes").Href("lessons/"+string(id)+"."+s.Texts().Code+".html").
		Target("_blank").Aria("label", label).Title(label).OnClick(leave).Body(icon(iconPage), app.Text(t.Notes))
}

// leave has the browser follow a link, in whose place go-app would do it in this tab.
func leave(_ app.Context, e app.Event) { e.Call("stopPropagation") }

func (l *Lessons) close(app.Context, app.Event) { browser.CloseDialog(LessonsID) }

func (l *Lessons) goOn(app.Context, app.Event) {
	browser.CloseDialog(LessonsID)
	l.Session.Lesson.Put(false)
}

// begin begins a lesson; one of the other kind on the other page.
func (l *Lessons) begin(ctx app.Context, _ app.Event) {
	lesson, _ := lessons.Find(lessons.ID(ctx.JSSrc().Get("dataset").Get("lesson").String()))
	browser.CloseDialog(LessonsID)
	if lesson.Kind != l.Session.Project.Kind() {
		browser.GoToLesson(lesson)
		return
	}
	l.Session.BeginLesson(lesson.ID, app.Window().GetElementByID(alphabetsID).Get("value").String())
}

// lessonsButton opens the dialog of lessons, in the place of one that is open.
func lessonsButton(s *session.Session, id, open string) app.UI {
	return app.Button().Type("button").ID(id).Class("plain").Aria("haspopup", "dialog").
		OnClick(func(ctx app.Context, _ app.Event) {
			if open != "" {
				browser.CloseDialog(open)
			}
			openDialog(ctx, LessonsID)
		}).Body(icon(iconLesson), app.Text(s.Texts().Lessons.Open))
}
