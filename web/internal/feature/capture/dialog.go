package capture

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/ui"
)

const dialogID = "recording"

func (c *Capture) dialog() app.UI {
	t, settings := &c.K.Texts().Stage, c.Settings()
	how := byHolding
	if settings.HandsFree {
		how = handsFree
	}
	seconds := func(n int) string {
		if n == 0 {
			return t.NoCountdown
		}
		return t.Seconds(n)
	}
	hows := []ui.Option{{Value: byHolding, Text: t.ByHolding}, {Value: handsFree, Text: t.HandsFree}}
	parts := []app.UI{ui.Choice("recording-how", t.How, how, hows, func(how string) {
		c.Change(func(s *Settings) { s.HandsFree = how == handsFree })
	})}
	if settings.HandsFree {
		parts = append(parts,
			app.P().Class("note").Text(t.HandsFreeHelp),
			c.number("recording-countdown", t.Countdown, settings.Countdown, Countdowns, seconds, func(s *Settings, n int) { s.Countdown = n }),
			c.number("recording-duration", t.Duration, settings.Duration, Durations, seconds, func(s *Settings, n int) { s.Duration = n }),
			ui.Tick("recording-beep", t.Beep, settings.Beep, func(on bool) { c.Change(func(s *Settings) { s.Beep = on }) }),
		)
	}
	parts = append(parts, c.number("recording-rate", t.PerSecond, settings.PerSecond, Rates, strconv.Itoa, func(s *Settings, n int) { s.PerSecond = n }))
	return ui.Dialog(c.K.Texts(), dialogID, "recording-settings", t.Recording, parts...)
}

// The values of the choice between a held button and hands-free.
const (
	byHolding = "hold"
	handsFree = "hands-free"
)

// number returns the choice of a number in the settings.
func (c *Capture) number(name, legend string, chosen int, from []int, text func(int) string, set func(*Settings, int)) app.UI {
	var options []ui.Option
	for _, n := range from {
		options = append(options, ui.Option{Value: strconv.Itoa(n), Text: text(n)})
	}
	return ui.Choice(name, legend, strconv.Itoa(chosen), options, func(value string) {
		n, _ := strconv.Atoi(value) // one of the options
		c.Change(func(s *Settings) { set(s, n) })
	})
}
