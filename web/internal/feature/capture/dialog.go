package capture

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/ui"
)

// dialogID is the id of the dialog.
const dialogID = "recording"

// Dialog is the dialog of the settings.
type Dialog struct {
	app.Compo
	watching
	Capture *Capture
}

// Render shows the choices.
func (d *Dialog) Render() app.UI {
	t, settings := &d.Capture.K.Texts().Stage, d.Capture.Settings()
	how := byHolding
	if settings.HandsFree {
		how = handsFree
	}
	parts := []app.UI{
		ui.Choice("recording-how", t.How, how, []ui.Option{{Value: byHolding, Text: t.ByHolding}, {Value: handsFree, Text: t.HandsFree}}, d.chooseHow),
	}
	if settings.HandsFree {
		parts = append(parts,
			app.P().Class("note").Text(t.HandsFreeHelp),
			ui.Choice("recording-countdown", t.Countdown, fmt.Sprint(settings.Countdown), d.seconds(Countdowns), d.chooseCountdown),
			ui.Choice("recording-duration", t.Duration, fmt.Sprint(settings.Duration), d.seconds(Durations), d.chooseDuration),
			ui.Tick("recording-beep", t.Beep, settings.Beep, d.chooseBeep),
		)
	}
	var rates []ui.Option
	for _, n := range Rates {
		rates = append(rates, ui.Option{Value: fmt.Sprint(n), Text: fmt.Sprint(n)})
	}
	parts = append(parts, ui.Choice("recording-rate", t.PerSecond, fmt.Sprint(settings.PerSecond), rates, d.chooseRate))
	return ui.Dialog(dialogID, "recording-settings", t.Recording, t.Close, parts...)
}

// The values of the choice between a held button and hands-free.
const (
	byHolding = "hold"
	handsFree = "hands-free"
)

// seconds returns the options of a duration.
func (d *Dialog) seconds(list []int) []ui.Option {
	t := &d.Capture.K.Texts().Stage
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

func (d *Dialog) chooseHow(ctx app.Context, _ app.Event) {
	free := ctx.JSSrc().Get("value").String() == handsFree
	d.Capture.Change(func(s *Settings) { s.HandsFree = free })
}

func (d *Dialog) chooseRate(ctx app.Context, _ app.Event) {
	d.Capture.Change(func(s *Settings) { s.PerSecond = chosenNumber(ctx) })
}

func (d *Dialog) chooseCountdown(ctx app.Context, _ app.Event) {
	d.Capture.Change(func(s *Settings) { s.Countdown = chosenNumber(ctx) })
}

func (d *Dialog) chooseDuration(ctx app.Context, _ app.Event) {
	d.Capture.Change(func(s *Settings) { s.Duration = chosenNumber(ctx) })
}

func (d *Dialog) chooseBeep(ctx app.Context, _ app.Event) {
	on := ctx.JSSrc().Get("checked").Bool()
	d.Capture.Change(func(s *Settings) { s.Beep = on })
}

// chosenNumber returns the number of the event's radio button.
func chosenNumber(ctx app.Context) int {
	var n int
	if _, err := fmt.Sscan(ctx.JSSrc().Get("value").String(), &n); err != nil {
		return -1 // not a choice
	}
	return n
}
