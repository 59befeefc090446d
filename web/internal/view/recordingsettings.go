package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// RecordingID is the id of the dialog about recording.
const RecordingID = "recording"

// RecordingSettings is the dialog in which a person chooses how examples are taken from
// the camera.
type RecordingSettings struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the settings.
func (r *RecordingSettings) OnMount(ctx app.Context) { r.watch(ctx, r.Session, r.Session.Capture) }

// Render shows the choices; hands-free there are more.
func (r *RecordingSettings) Render() app.UI {
	t, settings := &r.Session.Texts().Stage, r.Session.Capture.Settings()
	how := byHolding
	if settings.HandsFree {
		how = handsFree
	}
	parts := []app.UI{
		choice("recording-how", t.How, how, []option{{byHolding, t.ByHolding}, {handsFree, t.HandsFree}}, r.chooseHow),
	}
	if settings.HandsFree {
		parts = append(parts,
			app.P().Class("note").Text(t.HandsFreeHelp),
			choice("recording-countdown", t.Countdown, fmt.Sprint(settings.Countdown), r.seconds(session.CaptureCountdowns), r.chooseCountdown),
			choice("recording-duration", t.Duration, fmt.Sprint(settings.Duration), r.seconds(session.CaptureDurations), r.chooseDuration),
			app.Label().Class("tick").Body(
				app.Input().Type("checkbox").ID("recording-beep").Checked(settings.Beep).OnChange(r.chooseBeep),
				app.Span().Text(t.Beep),
			),
		)
	}
	var rates []option
	for _, n := range session.CaptureRates {
		rates = append(rates, option{fmt.Sprint(n), fmt.Sprint(n)})
	}
	parts = append(parts, choice("recording-rate", t.PerSecond, fmt.Sprint(settings.PerSecond), rates, r.chooseRate))
	return app.Dialog().ID(RecordingID).Class("settings", "recording-settings").Aria("labelledby", "recording-title").Body(
		app.Header().Body(
			app.H2().ID("recording-title").Text(t.Recording),
			app.Button().Type("button").Class("quiet").Aria("label", t.Close).OnClick(r.close).Body(icon(iconClose)),
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
func (r *RecordingSettings) seconds(list []int) []option {
	t := &r.Session.Texts().Stage
	var options []option
	for _, n := range list {
		text := t.Seconds(n)
		if n == 0 {
			text = t.NoCountdown
		}
		options = append(options, option{fmt.Sprint(n), text})
	}
	return options
}

func (r *RecordingSettings) chooseHow(ctx app.Context, _ app.Event) {
	free := ctx.JSSrc().Get("value").String() == handsFree
	r.Session.Capture.Change(func(s *session.CaptureSettings) { s.HandsFree = free })
}

func (r *RecordingSettings) chooseRate(ctx app.Context, _ app.Event) {
	r.Session.Capture.Change(func(s *session.CaptureSettings) { s.PerSecond = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseCountdown(ctx app.Context, _ app.Event) {
	r.Session.Capture.Change(func(s *session.CaptureSettings) { s.Countdown = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseDuration(ctx app.Context, _ app.Event) {
	r.Session.Capture.Change(func(s *session.CaptureSettings) { s.Duration = chosenNumber(ctx) })
}

func (r *RecordingSettings) chooseBeep(ctx app.Context, _ app.Event) {
	on := ctx.JSSrc().Get("checked").Bool()
	r.Session.Capture.Change(func(s *session.CaptureSettings) { s.Beep = on })
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
