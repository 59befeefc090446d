package view

import (
	"fmt"
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Recording plays a file that is classified; nothing while File is nil.
type Recording struct {
	app.Compo
	File  *kernel.File
	Label string

	shown *kernel.File // what the player was given
}

// Render makes room for the player.
func (r *Recording) Render() app.UI {
	return app.Audio().Class("recording", ui.When(r.File == nil, "hidden")).Controls(true).Aria("label", r.Label)
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

// RecordingID is the id of the dialog about recording.
const RecordingID = "recording"

// RecordingSettings is the dialog in which a person chooses how examples are taken from
// the camera.
type RecordingSettings struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the settings.
func (r *RecordingSettings) OnMount(ctx app.Context) { r.Watch(ctx, r.Kernel, r.Kernel.Capture) }

// Render shows the choices; hands-free there are more.
func (r *RecordingSettings) Render() app.UI {
	t, settings := &r.Kernel.Texts().Stage, r.Kernel.Capture.Settings()
	how := byHolding
	if settings.HandsFree {
		how = handsFree
	}
	parts := []app.UI{
		ui.Choice("recording-how", t.How, how, []ui.Option{{Value: byHolding, Text: t.ByHolding}, {Value: handsFree, Text: t.HandsFree}}, r.chooseHow),
	}
	if settings.HandsFree {
		parts = append(parts,
			app.P().Class("note").Text(t.HandsFreeHelp),
			ui.Choice("recording-countdown", t.Countdown, fmt.Sprint(settings.Countdown), r.seconds(kernel.CaptureCountdowns), r.chooseCountdown),
			ui.Choice("recording-duration", t.Duration, fmt.Sprint(settings.Duration), r.seconds(kernel.CaptureDurations), r.chooseDuration),
			app.Label().Class("tick").Body(
				app.Input().Type("checkbox").ID("recording-beep").Checked(settings.Beep).OnChange(r.chooseBeep),
				app.Span().Text(t.Beep),
			),
		)
	}
	var rates []ui.Option
	for _, n := range kernel.CaptureRates {
		rates = append(rates, ui.Option{Value: fmt.Sprint(n), Text: fmt.Sprint(n)})
	}
	parts = append(parts, ui.Choice("recording-rate", t.PerSecond, fmt.Sprint(settings.PerSecond), rates, r.chooseRate))
	return app.Dialog().ID(RecordingID).Class("settings", "recording-settings").Aria("labelledby", "recording-title").Body(
		app.Header().Body(
			app.H2().ID("recording-title").Text(t.Recording),
			app.Button().Type("button").Class("quiet").Aria("label", t.Close).OnClick(r.close).Body(ui.Icon(ui.IconClose)),
		),
		app.Div().Class("parts").Body(parts...),
	)
}

// How a recording is made.
const (
	byHolding = "hold"
	handsFree = "hands-free"
)

// seconds are choices of how long.
func (r *RecordingSettings) seconds(list []int) []ui.Option {
	t := &r.Kernel.Texts().Stage
	var options []ui.Option
	for _, n := range list {
		text := t.Seconds(n)
		if n == 0 {
			text = t.NoCountdown
		}
		options = append(options, ui.Option{Value: fmt.Sprint(n), Text: text})
	}
	return options
}

func (r *RecordingSettings) chooseHow(ctx app.Context, _ app.Event) {
	free := ctx.JSSrc().Get("value").String() == handsFree
	r.Kernel.Capture.Change(func(s *kernel.CaptureSettings) { s.HandsFree = free })
}

func (r *RecordingSettings) chooseRate(ctx app.Context, _ app.Event) {
	r.Kernel.Capture.Change(func(s *kernel.CaptureSettings) { s.PerSecond = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseCountdown(ctx app.Context, _ app.Event) {
	r.Kernel.Capture.Change(func(s *kernel.CaptureSettings) { s.Countdown = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseDuration(ctx app.Context, _ app.Event) {
	r.Kernel.Capture.Change(func(s *kernel.CaptureSettings) { s.Duration = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseBeep(ctx app.Context, _ app.Event) {
	on := ctx.JSSrc().Get("checked").Bool()
	r.Kernel.Capture.Change(func(s *kernel.CaptureSettings) { s.Beep = on })
}

func (r *RecordingSettings) close(app.Context, app.Event) { browser.CloseDialog(RecordingID) }

// chosenNumber is the number that the event's radio button stands for.
func chosenNumber(ctx app.Context) int {
	var n int
	if _, err := fmt.Sscan(ctx.JSSrc().Get("value").String(), &n); err != nil {
		return -1 // which cannot be chosen
	}
	return n
}

// On a page of sounds the stage shows what the microphone hears instead of a video, and
// beneath it how loud that is, with the threshold above which it counts.

// spectrogram shows what the microphone hears: the page's microphone draws on it.
func spectrogram(t *texts.Camera, on bool) app.UI {
	return app.Canvas().ID(browser.HeardID).Class("heard", ui.When(!on, "hidden")).Role("img").Aria("label", t.Sees)
}

// loudness is the meter and the threshold.
func (s *Stage) loudness(on bool) app.UI {
	t := &s.Kernel.Texts().Sound
	threshold := s.Kernel.Camera.Threshold()
	return app.Div().ID(browser.LevelID).Class("level", ui.When(!on, "off")).
		Title(t.ThresholdTitle).
		Body(
			app.Span().Class("loudness").Aria("hidden", true),
			app.Input().Type("range").ID("threshold").
				Min(kernel.LowestThreshold).Max(kernel.HighestThreshold).Step(1).
				Value(math.Round(threshold)).
				Aria("label", t.Threshold).
				OnInput(s.threshold),
		)
}

func (s *Stage) threshold(ctx app.Context, _ app.Event) {
	s.Kernel.Camera.SetThreshold(ctx.JSSrc().Get("valueAsNumber").Float())
}
