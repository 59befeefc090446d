//go:build !js

package browsers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest/webdriver"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// Start the camera, hold the button of each class, read live answers, stop the camera. The fake
// cameras of browsers show moving pictures.
func TestCamera(t *testing.T) {
	long(t)
	inEach(t, func(t *testing.T, kind webdriver.Kind) {
		s := open(t, kind, "/")
		s.ready()
		s.Click("#start")
		s.WaitFor(`document.querySelector("video")?.videoWidth > 0 && !document.querySelector("video.hidden")`)
		for i := range 2 {
			thumbnails := studiotest.Card(i+1) + " .thumbnail"
			letGo := s.Press(studiotest.Card(i+1) + " .capture")
			s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= 3", thumbnails))
			letGo()
			s.WaitFor(`!document.querySelector(".card.held")`)
		}
		s.Run("told.answers = 0")
		begin := time.Now()
		s.WaitFor("told.answers >= 20")
		t.Logf("%s: %.1f answers a second, %s", kind.Name, 20/time.Since(begin).Seconds(), s.Text(".speed"))
		s.Shot("camera")
		s.Click("#start")
		s.WaitFor(`document.querySelector("video.hidden") && !document.querySelector("video").srcObject`)
		s.nothingLeft()
	})
}
