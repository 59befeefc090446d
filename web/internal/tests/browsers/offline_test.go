//go:build !js

package browsers_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// After the first visit, the page opens without its server, learns, answers, and has its examples.
func TestOffline(t *testing.T) {
	red, blue := studiotest.PictureFile(t, "red.jpg", studiotest.Red), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue)
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/")
		s.teach([]class{{"red disc", []string{red}}})
		s.WaitFor(`navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === "activated" && Boolean(navigator.serviceWorker.controller))`)
		s.server.CloseClientConnections()
		s.server.Close()

		s.kept("/", []class{{"red disc", []string{red}}})
		s.teach([]class{{"red disc", nil}, {"blue disc", []string{blue}}})
		s.ask(blue, "blue disc")
		s.Shot("offline")
	})
}
