//go:build !js

package embed_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The page hears "seven" three times, then "zero" three times, then must recognize one more of
// each.
func TestSound(t *testing.T) {
	const takes = 3
	silence := func(seconds float64) []float32 { return make([]float32, int(seconds*sound.Rate)) }
	heard := silence(0.5)
	for _, digit := range []int{7, 0} {
		for take := range takes {
			heard = append(append(heard, studiotest.Spoken(t, digit, "george", take)...), silence(0.6)...)
		}
		heard = append(heard, silence(2)...)
	}
	for _, digit := range []int{7, 0} {
		heard = append(append(heard, studiotest.Spoken(t, digit, "george", takes)...), silence(2)...)
	}
	s := open(t, "/examples/sound/", browsertest.Options{Flags: map[string]any{
		"use-fake-device-for-media-stream": true,
		"use-fake-ui-for-media-stream":     true,
		"use-file-for-fake-audio-capture":  studiotest.Recording(t, heard),
	}})
	s.WaitFor(`!document.querySelector("#start").disabled`)
	for i, name := range []string{"Seven", "Zero"} {
		s.Eval(fmt.Sprintf(`(() => { const field = document.querySelector(".hue-%d input"); field.value = %q; field.onchange(); })()`, i, name))
	}
	s.Click("#start")
	s.WaitFor(`!document.querySelector(".teach").disabled`)
	for i := range 2 {
		word := fmt.Sprintf(".word.hue-%d", i)
		release := s.Press(word + " .teach")
		s.WaitFor(fmt.Sprintf("document.querySelectorAll('%s canvas').length >= %d", word, takes))
		release()
		s.WaitFor(`!document.querySelector(".held")`)
	}
	for _, name := range []string{"Seven", "Zero", "Seven"} {
		s.WaitFor(fmt.Sprintf(`document.querySelector("#answer").textContent === %q`, name))
	}
	portraits(s, "sound")
	s.Quiet()
}
