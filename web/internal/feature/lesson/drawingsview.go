package lesson

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawings shows the drawings to teach, the drawings to try, and the pad.
func (l *View) drawings(state State) app.UI {
	t := &l.Lesson.K.Texts().Lessons
	teach, look := t.First, "primary"
	if state.Offer == OfferMore {
		teach, look = t.More, "plain"
	}
	pad, padText := ui.IconPen, t.Draw
	if state.Drawing {
		pad, padText = ui.IconClose, t.DrawEnd
	}
	return app.Div().Class("drawings").Body(
		app.Div().Class("doing").Body(
			app.If(state.Offer != NoOffer, app.Button().Type("button").ID("teach-drawings").
				Class(look).
				Disabled(len(state.Tries) == 0).OnClick(l.teach).Body(ui.Icon(ui.IconPlus), app.Text(teach))),
			app.Button().Type("button").ID("draw").Class("plain").Aria("pressed", state.Drawing).OnClick(l.draw).
				Body(ui.Icon(pad), app.Text(padText)),
		),
		app.If(state.Drawing, l.padTools(state)),
		app.If(state.Done[StepTeach] && len(state.Tries) > 0, l.tries(state)),
	)
}

func (l *View) teach(app.Context, app.Event) { l.Lesson.TeachDrawings() }

func (l *View) draw(app.Context, app.Event) {
	if l.Lesson.State().Drawing {
		l.Lesson.ClosePad()
	} else {
		l.Lesson.OpenPad()
	}
}

// tries shows drawings of other people, with their marks.
func (l *View) tries(state State) app.UI {
	t := &l.Lesson.K.Texts().Lessons
	shown := l.Lesson.K.Live.Shown.Picture()
	var items []app.UI
	for i, try := range state.Tries {
		class, sign, label := "", "", t.Try(i+1)
		switch try.Mark {
		case TriedRight:
			class, sign, label = "right", ui.IconTick, label+", "+t.WasRight
		case TriedWrong:
			class, sign, label = "wrong", ui.IconClose, label+", "+t.WasWrong
		}
		items = append(items, app.Li().Body(
			app.Button().Type("button").Class("try", class).Aria("label", label).
				Aria("pressed", shown != nil && shown.Name == try.Name).
				DataSet("try", strconv.Itoa(i)).OnClick(l.try).
				Body(
					app.Img().Src(try.URL).Alt("").Width(52).Height(52),
					app.If(sign != "", app.Span().Class("mark").Body(ui.Icon(sign))),
				),
		))
	}
	return app.Div().Class("tries").Body(
		app.P().Text(t.Tries),
		app.Ul().Body(items...),
		app.Div().Class("doing").Body(
			app.Button().Type("button").ID("try-all").Class("plain").Aria("busy", state.Trying).OnClick(l.tryAll).Text(t.TryAll),
			app.P().Class("sum").Role("status").Text(ui.When(state.Judged > 0, t.TriesSum(state.Right, state.Judged))),
		),
	)
}

func (l *View) try(ctx app.Context, _ app.Event) {
	if i, err := strconv.Atoi(ctx.JSSrc().Get("dataset").Get("try").String()); err == nil {
		l.Lesson.Try(i)
	}
}

func (l *View) tryAll(app.Context, app.Event) { l.Lesson.TryAll() }

// padTools shows buttons that clear the pad, and that add its drawing to a class.
func (l *View) padTools(state State) app.UI {
	t := &l.Lesson.K.Texts().Lessons
	var classes []app.UI
	for _, c := range l.Lesson.K.Classes.List() {
		classes = append(classes, app.Button().Type("button").Class("teach-drawn", "plain", ui.Hue(c)).Dir("auto").
			Aria("label", t.TeachThis(c.Label)).Disabled(state.Drawn == nil).Dir("auto").DataSet("class", c.ID).OnClick(l.teachDrawn).Text(c.Label))
	}
	return app.Div().Class("pad-tools").Body(
		app.Button().Type("button").ID("wipe").Class("plain").Disabled(state.Drawn == nil).OnClick(l.wipe).Text(t.Clear),
		app.P().Text(t.This),
		app.Div().Class("as").Body(classes...),
	)
}

func (l *View) teachDrawn(ctx app.Context, _ app.Event) {
	l.Lesson.TeachDrawn(ctx.JSSrc().Get("dataset").Get("class").String())
}

func (l *View) wipe(app.Context, app.Event) { l.Lesson.Drew(nil) }
