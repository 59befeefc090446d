package capture

import (
	"encoding/json"
	"slices"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Settings control how examples are taken from the camera. The device keeps them, not the project.
type Settings struct {
	PerSecond int  // examples a second, one of Rates; the engine may take fewer
	HandsFree bool // a click records for a while, instead of holding the button
	Countdown int  // seconds from the click to the first example, one of Countdowns
	Duration  int  // seconds of a recording, one of Durations
	Beep      bool // at the start and the end
}

// The choices of the settings.
var (
	Rates      = []int{2, 4, 8, 15}
	Countdowns = []int{0, 3, 5, 10}
	Durations  = []int{2, 5, 10, 30}
)

// Usual are the default settings.
var Usual = Settings{PerSecond: kernel.UsualRate, Countdown: 3, Duration: 5, Beep: true}

// Complete returns the settings with defaults instead of values that cannot be chosen.
func (s Settings) Complete() Settings {
	choose := func(v *int, from []int, usual int) {
		if !slices.Contains(from, *v) {
			*v = usual
		}
	}
	choose(&s.PerSecond, Rates, Usual.PerSecond)
	choose(&s.Countdown, Countdowns, Usual.Countdown)
	choose(&s.Duration, Durations, Usual.Duration)
	return s
}

// Shutter is the device's part in capturing.
type Shutter interface {
	// Beep plays a tone at the start of a recording, and a lower one at its end.
	Beep(start bool)
	// Remember keeps the settings for the next visit.
	Remember(Settings)
}

// Settings returns how examples are taken.
func (c *Capture) Settings() Settings { return kernel.Get(&c.Part, &c.settings) }

// Change changes the settings on this device, to some that can be chosen.
func (c *Capture) Change(change func(*Settings)) {
	c.K.Capture.Release()
	settings := c.Settings()
	change(&settings)
	c.set(settings)
	if c.shutter != nil {
		c.shutter.Remember(settings)
	}
}

// Connect sets the device's shutter, and the settings of earlier visits.
func (c *Capture) Connect(shutter Shutter, remembered Settings) {
	c.shutter = shutter
	c.set(remembered.Complete())
}

func (c *Capture) set(settings Settings) {
	c.Update(func() { c.settings = settings })
	var click func(classID string)
	if settings.HandsFree {
		click = c.Record
	}
	c.K.Capture.Set(settings.PerSecond, click)
}

// beep plays a tone unless the settings disable it.
func (c *Capture) beep(start bool) {
	if c.shutter != nil && c.Settings().Beep {
		c.shutter.Beep(start)
	}
}

const storageKey = "deepemd-capture"

type browserShutter struct{}

// connect connects the browser's shutter with the settings of earlier visits.
func (c *Capture) connect() {
	settings := Usual
	kept := browser.Window.Get("localStorage").Call("getItem", storageKey)
	if json.Unmarshal([]byte(kept.String()), &settings) != nil { // there are none yet
		settings = Usual
	}
	c.Connect(browserShutter{}, settings)
}

func (browserShutter) Remember(settings Settings) {
	text, _ := json.Marshal(settings) // numbers always have a JSON form
	browser.Remember(storageKey, string(text))
}

// Beep implements [Shutter]: see tones.js.
func (browserShutter) Beep(start bool) {
	tone := "end"
	if start {
		tone = "start"
	}
	browser.Studio.Call("beep", tone)
}
