package actions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

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

// effect is a kind of effect with its switch.
type effect struct {
	name, icon, text, tip string
	able                  bool // the browser has it
	on                    bool
	turn                  func(rule *project.Rule, on bool)
	sampled               bool // turning it on demonstrates it
}

func (r *Rule) effects() []effect {
	t, row := &r.Texts.Then, r.Row
	return []effect{
		{"say", ui.IconSpeech, t.Say, t.SayTip, true, row.Say, func(o *project.Rule, on bool) { o.Say = on }, true},
		{"sound", ui.IconNote, t.Sound, t.SndTip, true, row.Sound != "", func(o *project.Rule, on bool) { o.Sound = ui.When(on, firstTone) }, true},
		{"show", ui.IconSmile, t.Look, t.LookTip, true, hasPicture(row.Rule), func(o *project.Rule, on bool) { o.Show, o.Picture = ui.When(on, firstSign), "" }, true},
		{"count", ui.IconTally, t.Count, t.CntTip, true, row.Count, func(o *project.Rule, on bool) { o.Count = on }, false},
		{"send", ui.IconWindow, t.Send, t.SendTip, r.Abilities.Framed, row.Send, func(o *project.Rule, on bool) { o.Send = on }, false},
		{"serial", ui.IconPlug, t.Wire, t.WireTip, r.Abilities.Serial, row.Serial, func(o *project.Rule, on bool) { o.Serial = on }, false},
	}
}

// Render shows the row.
func (r *Rule) Render() app.UI {
	t, row := &r.Texts.Then, r.Row
	var switches []app.UI
	for _, e := range r.effects() {
		if e.able || e.on {
			switches = append(switches, app.Button().Type("button").Class("switch", e.name).Aria("pressed", e.on).Title(e.tip).
				OnClick(ui.Do(func() { r.turn(e) }, e.name, e.on)).Body(ui.Icon(e.icon), app.Span().Text(e.text)))
		}
	}
	return app.Li().Class("rule", "hue-"+strconv.Itoa(row.Hue)).DataSet("subject", row.Subject.ClassID+row.Subject.Of).Body(
		app.Div().Class("thing").Body(
			app.Span().Class("swatch"),
			app.Span().Class("name").Dir("auto").Text(row.Label),
		),
		app.Div().Class("switches").Role("group").Aria("label", t.Row(row.Label)).Body(switches...),
		app.If(row.Active(), ui.Sign("quiet sample", "", ui.IconPlay, t.Try(row.Label)).
			OnClick(ui.Do(func() { r.Actions.Try(r.Row.Subject) }))),
		app.If(row.Sound != "" || hasPicture(row.Rule) || row.Count || row.Serial, app.Div().Class("details").Role("group").Aria("label", row.Label).Body(
			app.If(row.Sound != "", r.tones()),
			app.If(hasPicture(row.Rule), r.signs()),
			app.If(row.Count, r.tally()),
			app.If(row.Serial, r.line()),
		)),
	)
}

// edit changes the rule. sample also performs the change as a demonstration.
func (r *Rule) edit(change func(*project.Rule)) { r.Actions.Edit(r.Row.Subject, change) }

func (r *Rule) sample(change func(*project.Rule)) {
	r.edit(change)
	rule := project.Rule{Class: r.Row.Subject.ClassID, Of: r.Row.Subject.Of}
	change(&rule)
	r.Actions.Sample(rule)
}

func (r *Rule) turn(e effect) {
	change := func(o *project.Rule) { e.turn(o, !e.on) }
	if e.sampled && !e.on {
		r.sample(change)
	} else {
		r.edit(change)
	}
}

func (r *Rule) tones() app.UI {
	t := &r.Texts.Then
	var options []ui.Option
	for _, tone := range Tones {
		options = append(options, ui.Option{Value: tone, Text: t.Tones[tone]})
	}
	if !slices.Contains(Tones, r.Row.Sound) {
		options = append(options, ui.Option{Value: r.Row.Sound, Text: t.OwnSound})
	}
	return app.Div().Class("detail").Body(
		ui.Selection("tone-"+r.Row.Subject.ClassID+r.Row.Subject.Of, t.Tone, r.Row.Sound, options, func(tone string) {
			r.sample(func(o *project.Rule) { o.Sound = tone })
		}),
		ui.File("plain", ui.IconUpload, t.AddSound, app.Input().Class("sound-file").Accept("audio/*").OnChange(r.own(SoundMedium))),
	)
}

// signs shows the emoji to choose from, a field for another, and the user's pictures.
func (r *Rule) signs() app.UI {
	t := &r.Texts.Then
	file := ui.File("plain", ui.IconImage, t.AddImage, app.Input().Class("picture-file").Accept("image/*").OnChange(r.own(PictureMedium)))
	if r.Row.Picture != "" {
		return app.Div().Class("detail").Body(
			mediumPicture(r.Row.Picture, t.OwnImage),
			file,
			ui.Button("plain no-picture", "", "", t.NoImage).OnClick(r.dropPicture),
		)
	}
	var buttons []app.UI
	for _, sign := range signs {
		buttons = append(buttons, ui.Button("sign", "", "", sign).Aria("pressed", sign == r.Row.Show).
			OnClick(ui.Do(func() { r.sample(func(o *project.Rule) { o.Show = sign }) }, sign)))
	}
	return app.Div().Class("detail").Body(
		app.Div().Class("signs").Role("group").Aria("label", t.Signs).Body(buttons...),
		app.Input().Type("text").Class("show-text").Value(r.Row.Show).MaxLength(60).AutoComplete(false).Dir("auto").
			Aria("label", t.Text(r.Row.Label)).OnChange(r.write),
		file,
	)
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

// own returns the arguments of an OnChange that adds the chosen file to the rule. A field for pictures
// may become the one for sounds.
func (r *Rule) own(medium Medium) (handler app.EventHandler, identity any) {
	return ui.TakeFiles(func(files []kernel.File) { r.Actions.AddMedium(r.Row.Subject, files[0], medium) }, medium)
}

func (r *Rule) dropPicture(app.Context, app.Event) {
	r.edit(func(o *project.Rule) {
		o.Picture, o.Show = "", cmp.Or(o.Show, firstSign)
	})
}

func (r *Rule) tally() app.UI {
	t := &r.Texts.Then
	return app.Div().Class("detail").Body(
		app.Span().Class("tally").Text(t.Counted(r.Row.Counted)),
		ui.Idle(ui.Button("plain reset", "", "", t.Reset), r.Row.Counted == 0, func() { r.Actions.ResetCount(r.Row.Subject) }),
	)
}

// line returns the field for the text that a device receives.
func (r *Rule) line() app.UI {
	return app.Div().Class("detail").Body(
		ui.Icon(ui.IconPlug),
		app.Input().Type("text").Class("line").Value(r.Row.Line).Placeholder(r.Row.Label).MaxLength(60).AutoComplete(false).
			Aria("label", r.Texts.Then.Line(r.Row.Label)).OnChange(ui.Take(func(text string) {
			r.edit(func(o *project.Rule) { o.Line = text })
		})),
	)
}
