//go:build !js

package browsers_test

import (
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Start the camera, hold the button of each class, read live answers, stop the camera. The fake
// cameras of browsers show moving pictures.
func TestCamera(t *testing.T) {
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/")
		s.StartCamera()
		for i := range 2 {
			s.Hold(i+1, 3)
		}
		s.Eval("spy.answers = 0")
		begin := time.Now()
		s.WaitFor("spy.answers >= 20")
		t.Logf("%s: %.1f answers a second, %s", kind.Name, 20/time.Since(begin).Seconds(), s.Text(".speed"))
		s.Shot("camera")
		s.Click("#start")
		s.WaitFor(`document.querySelector("video.hidden") && !document.querySelector("video").srcObject`)
		s.nothingLeft()
	})
}
