package capture

import (
	"encoding/json"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// storageKey is the key of the settings in the browser's storage.
const storageKey = "deepemd-capture"

type browserShutter struct {
	audio js.Value // an AudioContext, once a tone was played
}

// connect connects the browser's shutter with the settings of earlier visits.
func (c *Capture) connect() {
	settings := Usual
	if text := browser.Window.Get("localStorage").Call("getItem", storageKey); text.Type() == js.TypeString {
		if json.Unmarshal([]byte(text.String()), &settings) != nil {
			settings = Usual
		}
	}
	c.Connect(&browserShutter{}, settings)
}

func (*browserShutter) Remember(settings Settings) {
	text, _ := json.Marshal(settings) // numbers always have a JSON form
	browser.Remember(storageKey, string(text))
}

// The two tones in hertz, their duration in seconds, and their gain.
const (
	startTone = 880.
	endTone   = 523.25
	toneLasts = .18
	loudness  = .2
)

// Beep implements [Shutter]. It does nothing without AudioContext.
func (s *browserShutter) Beep(start bool) {
	constructor := browser.Window.Get("AudioContext")
	if !constructor.Truthy() {
		return
	}
	if !s.audio.Truthy() {
		s.audio = constructor.New()
	}
	s.audio.Call("resume") // suspended until the user's first click, which has happened
	now := s.audio.Get("currentTime").Float()
	tone, volume := s.audio.Call("createOscillator"), s.audio.Call("createGain")
	hertz := endTone
	if start {
		hertz = startTone
	}
	tone.Get("frequency").Set("value", hertz)
	gain := volume.Get("gain")
	gain.Call("setValueAtTime", loudness, now)
	gain.Call("exponentialRampToValueAtTime", .001, now+toneLasts) // without a click at its end
	tone.Call("connect", volume)
	volume.Call("connect", s.audio.Get("destination"))
	tone.Call("start", now)
	tone.Call("stop", now+toneLasts)
}
