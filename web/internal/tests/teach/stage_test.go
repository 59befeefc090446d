//go:build !js

package teach_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// axe-core reports nothing serious on the stage: with its tools, with the frame, and in the dialog
// of recording. Nothing is wider than the window.
func TestStageIsAccessible(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.StartCamera()
	s.Axe("with a camera", "")
	s.Click("#frame")
	s.WaitFor(`document.querySelector(".frame-panel")`)
	for _, w := range []int{1280, 820, 390, 320} {
		s.Window(w, 844)
		if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > int(w) {
			t.Errorf("at a width of %d px the page is %d px wide", w, got)
		}
	}
	s.Window(1280, 800)
	s.Axe("with its frame open", "")
	s.Click("#frame-done")
	s.WaitFor(`!document.querySelector(".frame-panel")`)
	s.OpenDialog("#open-recording", "#recording")
	s.Click(`input[name="recording-how"][value="hands-free"]`)
	s.WaitFor(`document.querySelector("#recording-beep")`)
	s.Axe("with the dialog about recording open", "")
	s.Scheme("dark")
	s.Axe("with the dialog about recording open, in the dark", "")
	s.Quiet()
}
