package browser

import (
	"encoding/json"
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// rememberedCapture is the key of the settings for capturing in the browser's storage.
const rememberedCapture = "deepemd-capture"

// shutter is what the browser has for capturing.
type shutter struct {
	audio js.Value // an AudioContext, once something was to be heard
}

// connectShutter hands the kernel what the browser has for capturing, and the settings
// of earlier visits.
func connectShutter(s *kernel.Kernel) {
	settings := kernel.UsualCapture
	if text := window.Get("localStorage").Call("getItem", rememberedCapture); text.Type() == js.TypeString {
		if json.Unmarshal([]byte(text.String()), &settings) != nil {
			settings = kernel.UsualCapture
		}
	}
	s.Capture.Connect(&shutter{}, settings)
}

// Remember implements [kernel.Shutter].
func (*shutter) Remember(settings kernel.CaptureSettings) {
	text, err := json.Marshal(settings)
	if err == nil {
		window.Get("localStorage").Call("setItem", rememberedCapture, string(text))
	}
}

// The two beeps, in hertz, and how long each is heard, in seconds.
const (
	startTone = 880.
	endTone   = 523.25
	toneLasts = .18
	loudness  = .2
)

// Beep implements [kernel.Shutter]. A browser that gives no sound stays silent.
func (s *shutter) Beep(start bool) {
	constructor := window.Get("AudioContext")
	if !constructor.Truthy() {
		return
	}
	if !s.audio.Truthy() {
		s.audio = constructor.New()
	}
	s.audio.Call("resume") // It waits for the person's first click, which was made.
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
