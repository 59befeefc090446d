package kernel

import (
	"slices"
	"time"
)

// CaptureSettings are how a person wants examples to be taken from the camera. They
// belong to the device, not to a project.
type CaptureSettings struct {
	PerSecond int // examples a second, one of CaptureRates, or as many as the engine can take
	// HandsFree has a click take examples for a while, instead of holding the button.
	HandsFree bool
	Countdown int  // seconds from the click to the first example, one of CaptureCountdowns
	Duration  int  // seconds for which examples are taken, one of CaptureDurations
	Beep      bool // something is heard at the start and at the end
}

// What there is to choose from.
var (
	CaptureRates      = []int{2, 4, 8, 15}
	CaptureCountdowns = []int{0, 3, 5, 10}
	CaptureDurations  = []int{2, 5, 10, 30}
)

// UsualCapture is what a person has who has chosen nothing.
var UsualCapture = CaptureSettings{PerSecond: 8, Countdown: 3, Duration: 5, Beep: true}

// Complete returns the settings with what is usual in the place of what cannot be chosen.
func (c CaptureSettings) Complete() CaptureSettings {
	choose := func(v *int, from []int, usual int) {
		if !slices.Contains(from, *v) {
			*v = usual
		}
	}
	choose(&c.PerSecond, CaptureRates, UsualCapture.PerSecond)
	choose(&c.Countdown, CaptureCountdowns, UsualCapture.Countdown)
	choose(&c.Duration, CaptureDurations, UsualCapture.Duration)
	return c
}

// interval is the time from one example to the next.
func (c CaptureSettings) interval() time.Duration { return time.Second / time.Duration(c.PerSecond) }

// Shutter is what the device has for capturing.
type Shutter interface {
	// Beep is heard at the start of examples, and lower at their end.
	Beep(start bool)
	// Remember keeps the settings for the next visit.
	Remember(CaptureSettings)
}

// Settings returns how examples are taken.
func (c *Capture) Settings() CaptureSettings {
	c.Lock()
	defer c.Unlock()
	return c.settings
}

// Change has examples taken in another way from now on, on this device.
func (c *Capture) Change(change func(*CaptureSettings)) {
	c.Release()
	var shutter Shutter
	var settings CaptureSettings
	c.Update(func() {
		change(&c.settings)
		c.settings = c.settings.Complete()
		settings, shutter = c.settings, c.shutter
	})
	if shutter != nil {
		shutter.Remember(settings)
	}
}

// Connect hands over what the device has for capturing, and the settings of earlier visits.
func (c *Capture) Connect(shutter Shutter, remembered CaptureSettings) {
	c.Update(func() { c.shutter, c.settings = shutter, remembered.Complete() })
}

// beep is heard if the person wants to hear it.
func (c *Capture) beep(start bool) {
	c.Lock()
	shutter, wanted := c.shutter, c.settings.Beep
	c.Unlock()
	if shutter != nil && wanted {
		shutter.Beep(start)
	}
}
