package lesson

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawingsView shows the drawings to teach, the drawings to try, and the pad.
func (l *Lesson) drawingsView(state State) app.UI {
	t := &l.K.Texts().Lessons
	teach, look := t.First, "primary"
	if state.Offer == OfferMore {
		teach, look = t.More, "plain"
	}
	pad, padText, draw := ui.IconPen, t.Draw, l.OpenPad
	if state.Drawing {
		pad, padText, draw = ui.IconClose, t.DrawEnd, l.ClosePad
	}
	return app.Div().Class("drawings").Body(
		app.Div().Class("doing").Body(
			app.If(state.Offer != NoOffer, ui.Button(look, "teach-drawings", ui.IconPlus, teach).
				Disabled(len(state.Tries) == 0).OnClick(ui.Do(l.TeachDrawings))),
			ui.Button("plain", "draw", pad, padText).OnClick(ui.Do(draw)),
		),
		app.If(state.Drawing, l.padTools(state)),
		app.If(state.Done[StepTeach] && len(state.Tries) > 0, l.triesView(state)),
	)
}

// triesView shows drawings of other people, with their marks.
func (l *Lesson) triesView(state State) app.UI {
	t := &l.K.Texts().Lessons
	shown, live := l.K.Live.Shown.Picture(), "polite"
	if state.Trying { // of all drawings, the result counts
		live = "off"
	}
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
				DataSet("try", strconv.Itoa(i)).OnClick(ui.Do(func() { l.Try(i) }, i)).
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
			ui.Button("plain", "try-all", "", t.TryAll).Aria("busy", state.Trying).OnClick(ui.Do(l.TryAll)),
			app.P().Class("sum").Aria("live", live).Text(ui.When(state.Judged > 0, t.TriesSum(state.Right, state.Judged))),
		),
	)
}

// padTools shows buttons that clear the pad, and that add its drawing to a class.
func (l *Lesson) padTools(state State) app.UI {
	t := &l.K.Texts().Lessons
	var classes []app.UI
	for _, c := range l.K.Classes.List() {
		teach := ui.Button("teach-drawn plain "+ui.Hue(c), "", "", c.Label).Dir("auto").Aria("label", t.TeachThis(c.Label)).DataSet("class", c.ID)
		classes = append(classes, ui.Idle(teach, state.Drawn == nil, func() { l.TeachDrawn(c.ID) }, c.ID))
	}
	return app.Div().Class("pad-tools").Body(
		ui.Idle(ui.Button("plain", "wipe", "", t.Clear), state.Drawn == nil, func() { l.Drew(nil) }),
		app.P().Text(t.This),
		app.Div().Class("as").Body(classes...),
	)
}
