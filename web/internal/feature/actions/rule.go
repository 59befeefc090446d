package actions

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// firstSign and firstTone are the initial choices.
const (
	firstSign = "👍"
	firstTone = "bell"
)

// signs are the emoji to choose from; users can type others.
var signs = []string{firstSign, "⭐", "❤️", "🎉", "😀", "🐱", "♻️", "✋"}

// Rule is a row of the panel: a subject, a switch per effect, and the choices of effects that are
// on.
type Rule struct {
	app.Compo
	Actions   *Actions
	Texts     *texts.Texts
	Row       Row
	Abilities Abilities
}

// Render shows the row.
func (r *Rule) Render() app.UI {
	t, row := &r.Texts.Then, r.Row
	shows := row.Show != "" || row.Picture != ""
	return app.Li().Class("rule", "hue-"+strconv.Itoa(row.Hue)).DataSet("subject", row.Subject.ClassID+row.Subject.Of).Body(
		app.Div().Class("thing").Body(
			app.Span().Class("swatch"),
			app.Span().Class("name").Dir("auto").Text(row.Label),
		),
		app.Div().Class("switches").Role("group").Aria("label", t.Row(row.Label)).Body(
			switchButton("say", ui.IconSpeech, t.Say, t.SayTip, row.Say, r.say),
			switchButton("sound", ui.IconNote, t.Sound, t.SndTip, row.Sound != "", r.sound),
			switchButton("show", ui.IconSmile, t.Look, t.LookTip, shows, r.show),
			switchButton("count", ui.IconTally, t.Count, t.CntTip, row.Count, r.count),
			app.If(r.Abilities.Framed || row.Send, switchButton("send", ui.IconWindow, t.Send, t.SendTip, row.Send, r.send)),
			app.If(r.Abilities.Serial || row.Serial, switchButton("serial", ui.IconPlug, t.Wire, t.WireTip, row.Serial, r.serial)),
		),
		app.If(row.Active(), app.Button().Type("button").Class("quiet sample").Aria("label", t.Try(row.Label)).Title(t.Try(row.Label)).
			OnClick(r.try).Body(ui.Icon(ui.IconPlay))),
		app.If(row.Sound != "" || shows || row.Count || row.Serial, app.Div().Class("details").Body(
			app.If(row.Sound != "", r.tones()),
			app.If(shows, r.signs()),
			app.If(row.Count, r.tally()),
			app.If(row.Serial, r.line()),
		)),
	)
}

// switchButton is a toggle button.
func switchButton(name, sign, text, tip string, on bool, press app.EventHandler) app.UI {
	return app.Button().Type("button").Class("switch", name).Aria("pressed", on).Title(tip).OnClick(press).
		Body(ui.Icon(sign), app.Span().Text(text))
}

func (r *Rule) edit(change func(*project.Rule)) { r.Actions.Edit(r.Row.Subject, change) }

// sample performs one effect as a demonstration.
func (r *Rule) sample(change func(*project.Rule)) {
	rule := project.Rule{Class: r.Row.Subject.ClassID, Of: r.Row.Subject.Of}
	change(&rule)
	r.Actions.Sample(rule)
}

// turn turns an effect on with set, or off with clear.
func (r *Rule) turn(on bool, set, clear func(*project.Rule)) {
	if on {
		r.edit(clear)
		return
	}
	r.edit(set)
	r.sample(set)
}

func (r *Rule) say(app.Context, app.Event) {
	r.turn(r.Row.Say, func(o *project.Rule) { o.Say = true }, func(o *project.Rule) { o.Say = false })
}

func (r *Rule) sound(app.Context, app.Event) {
	r.turn(r.Row.Sound != "", func(o *project.Rule) { o.Sound = firstTone }, func(o *project.Rule) { o.Sound = "" })
}

func (r *Rule) show(app.Context, app.Event) {
	r.turn(r.Row.Show != "" || r.Row.Picture != "",
		func(o *project.Rule) { o.Show = firstSign }, func(o *project.Rule) { o.Show, o.Picture = "", "" })
}

func (r *Rule) count(app.Context, app.Event) { r.edit(func(o *project.Rule) { o.Count = !o.Count }) }

func (r *Rule) send(app.Context, app.Event) { r.edit(func(o *project.Rule) { o.Send = !o.Send }) }

func (r *Rule) serial(app.Context, app.Event) {
	r.edit(func(o *project.Rule) { o.Serial = !o.Serial })
}

func (r *Rule) try(app.Context, app.Event) { r.Actions.Try(r.Row.Subject) }

// tones shows the sounds to choose from.
func (r *Rule) tones() app.UI {
	t := &r.Texts.Then
	names := map[string]string{
		"bell": t.Tones.Bell, "rise": t.Tones.Rise, "fall": t.Tones.Fall,
		"drum": t.Tones.Drum, "buzz": t.Tones.Buzz, "fanfare": t.Tones.Fanfare,
	}
	var options []ui.Option
	for _, tone := range Tones {
		options = append(options, ui.Option{Value: tone, Text: names[tone]})
	}
	if !slices.Contains(Tones, r.Row.Sound) {
		options = append(options, ui.Option{Value: r.Row.Sound, Text: t.OwnSound})
	}
	return app.Div().Class("detail").Body(
		ui.Selection("tone-"+r.Row.Subject.ClassID+r.Row.Subject.Of, t.Tone, r.Row.Sound, options, r.choose),
		app.Label().Class("file plain").Body(ui.Icon(ui.IconUpload), app.Text(t.AddSound),
			app.Input().Type("file").Class("sound-file").Accept("audio/*").OnChange(r.own(SoundMedium))),
	)
}

func (r *Rule) choose(ctx app.Context, _ app.Event) {
	tone := ctx.JSSrc().Get("value").String()
	set := func(o *project.Rule) { o.Sound = tone }
	r.edit(set)
	r.sample(set)
}

// signs shows the emoji to choose from, a field for another, and the user's pictures.
func (r *Rule) signs() app.UI {
	t := &r.Texts.Then
	file := app.Label().Class("file plain").Body(ui.Icon(ui.IconImage), app.Text(t.AddImage),
		app.Input().Type("file").Class("picture-file").Accept("image/*").OnChange(r.own(PictureMedium)))
	if r.Row.Picture != "" {
		return app.Div().Class("detail").Body(
			&MediumPicture{ID: r.Row.Picture, Label: t.OwnImage},
			file,
			app.Button().Type("button").Class("plain no-picture").Text(t.NoImage).OnClick(r.dropPicture),
		)
	}
	var buttons []app.UI
	for _, sign := range signs {
		buttons = append(buttons, app.Button().Type("button").Class("sign").Aria("pressed", sign == r.Row.Show).
			OnClick(r.pick(sign), sign).Text(sign))
	}
	return app.Div().Class("detail").Body(
		app.Div().Class("signs").Role("group").Aria("label", t.Signs).Body(buttons...),
		app.Input().Type("text").Class("show-text").Value(r.Row.Show).MaxLength(60).AutoComplete(false).Dir("auto").
			Aria("label", t.Text(r.Row.Label)).OnChange(r.write),
		file,
	)
}

func (r *Rule) pick(sign string) app.EventHandler {
	return func(app.Context, app.Event) {
		set := func(o *project.Rule) { o.Show = sign }
		r.edit(set)
		r.sample(set)
	}
}

// write accepts a text; a blank one is reset.
func (r *Rule) write(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	text := strings.TrimSpace(field.Get("value").String())
	if text == "" {
		field.Set("value", r.Row.Show)
		return
	}
	r.edit(func(o *project.Rule) { o.Show = text })
}

func (r *Rule) own(medium Medium) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		if files := browser.ChosenFiles(ctx.JSSrc()); len(files) > 0 {
			r.Actions.AddMedium(r.Row.Subject, files[0], medium)
		}
	}
}

func (r *Rule) dropPicture(app.Context, app.Event) {
	r.edit(func(o *project.Rule) {
		o.Picture = ""
		if o.Show == "" {
			o.Show = firstSign
		}
	})
}

// tally shows the counter.
func (r *Rule) tally() app.UI {
	t := &r.Texts.Then
	return app.Div().Class("detail").Body(
		app.Span().Class("tally").Text(t.Counted(r.Row.Counted)),
		app.Button().Type("button").Class("plain reset").Disabled(r.Row.Counted == 0).Text(t.Reset).OnClick(r.reset),
	)
}

func (r *Rule) reset(app.Context, app.Event) { r.Actions.ResetCount(r.Row.Subject) }

// line is the field for the text that a device receives.
func (r *Rule) line() app.UI {
	return app.Div().Class("detail").Body(
		ui.Icon(ui.IconPlug),
		app.Input().Type("text").Class("line").Value(r.Row.Line).Placeholder(r.Row.Label).MaxLength(60).AutoComplete(false).
			Aria("label", r.Texts.Then.Line(r.Row.Label)).OnChange(r.word),
	)
}

func (r *Rule) word(ctx app.Context, _ app.Event) {
	text := ctx.JSSrc().Get("value").String()
	r.edit(func(o *project.Rule) { o.Line = text })
}
