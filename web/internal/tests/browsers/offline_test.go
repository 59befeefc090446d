//go:build !js

package browsers_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest/webdriver"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// After the first visit, the page opens without its server, learns, answers, and has its examples.
func TestOffline(t *testing.T) {
	long(t)
	red, blue := studiotest.PictureFile(t, "red.jpg", studiotest.Red), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue)
	inEach(t, func(t *testing.T, kind webdriver.Kind) {
		s := open(t, kind, "/")
		s.ready()
		s.teach([]class{{"red disc", []string{red}}})
		s.WaitFor(`document.querySelector("#kept.saved")?.innerText.includes("Saved")`)
		s.WaitFor(`navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === "activated" && Boolean(navigator.serviceWorker.controller))`)
		s.server.CloseClientConnections()
		s.server.Close()

		s.kept("/", []class{{"red disc", []string{red}}})
		s.teach([]class{{"red disc", nil}, {"blue disc", []string{blue}}})
		if said := s.ask(blue); said["blue disc"] <= said["red disc"] {
			t.Errorf("a blue disc is %v", said)
		}
		s.Shot("offline")
	})
}
