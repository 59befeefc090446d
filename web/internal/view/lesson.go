package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// Lesson shows the lesson that the project was begun for: its goal, its steps, and what
// there is to do.
type Lesson struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the lesson.
func (l *Lesson) OnMount(ctx app.Context) {
	l.watch(ctx, l.Session, l.Session.Lesson, l.Session.Classes, l.Session.Live.Shown)
}

// Render shows the lesson, unless there is none or it was put away.
func (l *Lesson) Render() app.UI {
	t, state := &l.Session.Texts().Lessons, l.Session.Lesson.State()
	if state.ID == "" || state.Away {
		return app.Section().Class("lesson", "hidden")
	}
	words := t.Of(string(state.ID))
	return app.Section().Class("lesson").Aria("labelledby", "lesson-title").Body(
		app.Header().Body(
			app.H2().ID("lesson-title").Text(words.Title),
			notesLink(l.Session, state.ID),
			app.Button().Type("button").ID("put-lesson").Class("quiet").Aria("label", t.PutAway).Title(t.PutAway).
				OnClick(l.put).Body(icon(iconClose)),
		),
		app.P().Class("goal").Text(words.Goal),
		l.steps(state),
		app.If(state.Lesson.Drawn, l.drawings(state)),
		app.If(state.Judging, l.judge(state)),
		app.If(state.Complete(), app.P().Class("complete").Role("status").Text(t.Complete)),
	)
}

// steps lists the steps: those that are reached ticked off, the next marked.
func (l *Lesson) steps(state session.LessonState) app.UI {
	t := &l.Session.Texts().Lessons
	words := t.Of(string(state.ID))
	texts := []string{ // in the order of session.LessonSteps
		words.Teach(state.Examples), words.Test, words.Fool, words.Improve, words.Reach(state.Goal.Done, state.Goal.All),
	}
	var items []app.UI
	next := true
	for i, step := range session.LessonSteps {
		done := state.Done[step]
		item := app.Li().Class(when(done, "done"), when(next && !done, "next")).DataSet("step", string(step))
		if next && !done {
			item.Aria("current", "step")
			next = false
		}
		items = append(items, item.Body(
			app.If(done, app.Span().Class("point").Role("img").Aria("label", t.Reached).Body(icon(iconTick))).
				Else(app.Span().Class("point").Aria("hidden", true).Text(strconv.Itoa(i+1))),
			app.Span().Text(texts[i]),
		))
	}
	return app.Ol().Aria("label", t.Steps).Body(items...)
}

// judge asks whether the answer is right, and says how many were.
func (l *Lesson) judge(state session.LessonState) app.UI {
	t := &l.Session.Texts().Lessons
	return app.Div().Class("judge").Role("group").Aria("labelledby", "judge-question").Body(
		app.P().ID("judge-question").Text(t.Judge),
		app.Button().Type("button").ID("judge-right").Class("plain").OnClick(l.right).Body(icon(iconTick), app.Text(t.Yes)),
		app.Button().Type("button").ID("judge-wrong").Class("plain").OnClick(l.wrong).Body(icon(iconClose), app.Text(t.No)),
		app.If(!state.Lesson.Drawn && state.Judged > 0, app.P().Class("sum").Role("status").Text(t.Sum(state.Right, state.Judged))),
	)
}

func (l *Lesson) put(app.Context, app.Event) {
	l.Session.Lesson.Put(true)
	l.focus(workID)
}

func (l *Lesson) right(app.Context, app.Event) { l.Session.Lesson.Judge(true) }
func (l *Lesson) wrong(app.Context, app.Event) { l.Session.Lesson.Judge(false) }
