//go:build !js

package teach_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// axe-core reports nothing serious on the stage: with its tools, with the frame, and in the dialog
// of recording. Nothing is wider than the window.
func TestStageIsAccessible(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)})
	s.Ready()
	s.Click("#start")
	s.WaitFor(`document.querySelector("#frame")`, 20*time.Second)
	s.Axe("with a camera", "")
	s.Click("#frame")
	s.WaitFor(`document.querySelector(".frame-panel")`, 5*time.Second)
	for _, w := range []int64{1280, 820, 390, 320} {
		s.Do(chromedp.EmulateViewport(w, 844))
		if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > int(w) {
			t.Errorf("at a width of %d px the page is %d px wide", w, got)
		}
	}
	s.Do(chromedp.ResetViewport())
	s.Axe("with its frame open", "")
	s.Click("#frame-done")
	s.WaitFor(`!document.querySelector(".frame-panel")`, 5*time.Second)
	s.OpenDialog("#open-recording", "#recording")
	s.Click(`input[name="recording-how"][value="hands-free"]`)
	s.WaitFor(`document.querySelector("#recording-beep")`, 5*time.Second)
	s.Axe("with the dialog about recording open", "")
	s.Do(s.Scheme("dark"))
	s.Axe("with the dialog about recording open, in the dark", "")
	s.Quiet()
}
