//go:build !js

package teach_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Every failure of the microphone is reported with the remedy.
func TestNoMicrophone(t *testing.T) {
	for _, c := range []struct {
		name, title, remedy string
		flags               map[string]any
		script              string
	}{
		{"denied", "The microphone is blocked", "address bar", map[string]any{
			"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": "deny",
		}, ""},
		{"in use", "The microphone is in use", "Close the other program", nil,
			`navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("Could not start audio source", "NotReadableError"))`},
		{"never listens", "The microphone did not start", "Some browsers listen only with a sound output: connect speakers or headphones", map[string]any{
			"use-fake-device-for-media-stream": true, "use-fake-ui-for-media-stream": true,
		}, `AudioContext.prototype.resume = () => new Promise(() => {})`}, // like Firefox without sound output
		{"not secure", "blocks the microphone at this address", "localhost", nil,
			`Object.defineProperty(navigator, "mediaDevices", { value: undefined })`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, browsertest.Options{Flags: c.flags}, c.script)
			s.Hear()
			s.Click("#start")
			s.WaitFor(`document.querySelector(".invitation.problem")`)
			for _, want := range []string{c.title, c.remedy} {
				if got := s.Text(".invitation"); !strings.Contains(got, want) {
					t.Errorf("the page says %q, want it to mention %q", got, want)
				}
			}
			if got := s.Text(".invitation"); strings.Contains(got, "Something is wrong") {
				t.Errorf("the page says %q, and the program works", got)
			}
			s.Quiet()
		})
	}
}

// Browsers without audio worklets hear as well.
func TestMicrophoneWithoutWorklets(t *testing.T) {
	heard := append(make([]float32, sound.Rate/2), studiotest.Spoken(t, 7, "george", 0)...)
	s := open(t, microphone(t, append(heard, make([]float32, sound.Rate)...)),
		`Object.defineProperty(globalThis, "AudioWorkletNode", { value: undefined }); delete BaseAudioContext.prototype.audioWorklet;`)
	s.Hear()
	s.Click("#start")
	s.WaitFor(`!document.querySelector("#heard.hidden")`)
	s.Hold(1, 1)
}
