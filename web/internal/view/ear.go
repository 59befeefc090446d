package view

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Hearing is the part of the stage that differs where sounds are told apart: what the
// microphone hears instead of a video, and beneath it how loud that is, with the
// threshold above which it counts.

const iconMicrophone = "M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM6 11.5a6 6 0 0 0 12 0M12 17.5v3M9 20.5h6"

// heard shows what the microphone hears: the page's microphone draws on it.
func heard(t *texts.Camera, on bool) app.UI {
	return app.Canvas().ID(browser.HeardID).Class("heard", when(!on, "hidden")).Role("img").Aria("label", t.Sees)
}

// levels is the meter and the threshold.
func (s *Stage) levels(on bool) app.UI {
	t := &texts.Current().Sound
	threshold := browser.Threshold()
	return app.Div().ID(browser.LevelID).Class("level", when(!on, "off")).
		Title(t.ThresholdTitle).
		Body(
			app.Span().Class("loudness").Aria("hidden", true),
			app.Input().Type("range").ID("threshold").
				Min(browser.LowestThreshold).Max(browser.HighestThreshold).Step(1).
				Value(math.Round(threshold)).
				Aria("label", t.Threshold).
				OnInput(s.threshold),
		)
}

func (s *Stage) threshold(ctx app.Context, _ app.Event) {
	browser.SetThreshold(ctx.JSSrc().Get("valueAsNumber").Float())
}

// Recording plays a file that is classified; nothing while File is nil.
type Recording struct {
	app.Compo
	File  *session.File
	Label string

	shown *session.File // what the player was given
}

// Render makes room for the player.
func (r *Recording) Render() app.UI {
	return app.Audio().Class("recording", when(r.File == nil, "hidden")).Controls(true).Aria("label", r.Label)
}

// OnMount gives the player its first file.
func (r *Recording) OnMount(ctx app.Context) { r.play(ctx) }

// OnUpdate gives it another.
func (r *Recording) OnUpdate(ctx app.Context) { r.play(ctx) }

func (r *Recording) play(ctx app.Context) {
	if r.File != nil && r.File != r.shown {
		r.shown = r.File
		browser.PlayFile(ctx.JSSrc(), r.File.Source)
	}
}

// Kind is the switch between pictures and sounds.
type Kind struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the language.
func (k *Kind) OnMount(ctx app.Context) { k.watch(ctx, k.Session) }

// Render shows both kinds, the one of the page pressed.
func (k *Kind) Render() app.UI {
	t, hears := &texts.Current().Sound, k.Session.Hears()
	return app.Div().Class("kind").Role("group").Aria("label", t.Kind).Body(
		app.Button().Type("button").ID("see").Class(when(!hears, "chosen")).Aria("pressed", !hears).Aria("label", t.Pictures).
			Title(t.Pictures).OnClick(k.see).Body(icon(iconCamera), app.Span().Text(t.Pictures)),
		app.Button().Type("button").ID("hear").Class(when(hears, "chosen")).Aria("pressed", hears).Aria("label", t.Sounds).
			Title(t.Sounds).OnClick(k.hear).Body(icon(iconMicrophone), app.Span().Text(t.Sounds)),
	)
}

func (k *Kind) see(app.Context, app.Event)  { browser.SwitchKind(false) }
func (k *Kind) hear(app.Context, app.Event) { browser.SwitchKind(true) }

// takes is the sign of the device that examples come from, and accepts the files that
// do.
func takes(s *session.Session) (sign, accepts string) {
	if s.Hears() {
		return iconMicrophone, "audio/*,.mp3,.wav"
	}
	return iconCamera, "image/*"
}
