//go:build !js

package teach_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The screen stays on while the camera or the microphone runs, also after another page was in front.
func TestScreenStaysOn(t *testing.T) {
	const locks = `globalThis.lit = 0;
		navigator.wakeLock.request = async () => { lit++; return { release: async () => { lit--; } }; };`
	for _, c := range []struct {
		name string
		opt  browsertest.Options
		hear bool
	}{
		{"camera", browsertest.Options{Camera: studiotest.PlainFilm(t)}, false},
		{"microphone", microphone(t, make([]float32, 16000)), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, c.opt, locks)
			s.Ready()
			if c.hear {
				s.Hear()
			}
			s.Click("#start")
			s.WaitFor(`lit === 1 && document.querySelector(".controls.on")`)
			s.Eval(`lit = 0; document.dispatchEvent(new Event("visibilitychange"))`) // a hidden page loses its lock
			s.WaitFor(`lit === 1`)
			s.Click("#start")
			s.WaitFor(`lit === 0`)
			s.Eval(`document.dispatchEvent(new Event("visibilitychange"))`)
			if got := browsertest.Eval[int](s.Browser, `new Promise((done) => setTimeout(() => done(lit), 100))`); got != 0 {
				t.Errorf("without a camera, the page holds %d locks", got)
			}
			s.Quiet()
		})
	}
}
