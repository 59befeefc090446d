//go:build !js

package embed_test

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// gesture is the camera's picture for a button of the game.
var gestures = []struct {
	steer, thing string
	band         color.RGBA
}{
	{"-1", "apple", color.RGBA{255, 0, 0, 255}},
	{"0", "orange", color.RGBA{0, 255, 0, 255}},
	{"1", "banana", color.RGBA{0, 0, 255, 255}},
}

// Held buttons teach three gestures; then the boat follows them.
func TestGame(t *testing.T) {
	var film []studiotest.Segment
	for _, g := range gestures {
		film = append(film, studiotest.Segment{Band: g.band, Pictures: pictures(t, g.thing, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5)})
	}
	s := open(t, "/examples/game/", browsertest.Options{Camera: studiotest.Film(t, film)})
	s.WaitFor(`document.querySelector("#status").textContent.startsWith("Ready")`)
	s.Click("#start")
	s.WaitFor(`!document.querySelector(".teach button").disabled`)
	for _, g := range gestures {
		button := fmt.Sprintf(`[data-steer="%s"]`, g.steer)
		seen := band(g.band)
		s.WaitFor("!" + seen)
		s.WaitFor(seen)
		release := s.Press(button)
		s.WaitFor(fmt.Sprintf(`Number(document.querySelector('%s small').textContent) >= 4`, button))
		release()
		s.WaitFor(`!document.querySelector(".held")`)
	}
	s.WaitFor(`document.querySelector("#status").textContent === "Steer!"`)
	steers := func() {
		for _, place := range []string{"on the right", "on the left", "on the right"} {
			s.WaitFor(fmt.Sprintf(`document.querySelector("#sea").ariaLabel === "A boat %s of the sea"`, place))
		}
	}
	steers()
	// The engine crashes during the next request, and the game continues.
	s.Eval(`const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function () {
			Worker.prototype.postMessage = postMessage;
			setTimeout(() => this.onerror(new ErrorEvent("error", { message: "out of luck" })));
		};`)
	s.WaitFor(`document.querySelector("#status.trouble")?.textContent.includes("out of luck")`)
	s.WaitFor(`document.querySelector("#status:not(.trouble)")?.textContent === "Steer!"`)
	steers()
	if s.Count(".bars .best") == 0 || s.Count(".bars li") != 3 {
		t.Error("the answer is not shown")
	}
	portraits(s, "game")
	s.Quiet()
}

// Without a camera, the page reports that, and the arrow keys steer.
func TestGameWithoutCamera(t *testing.T) {
	s := open(t, "/examples/game/", browsertest.Options{})
	s.WaitFor(`document.querySelector("#status").textContent.startsWith("Ready")`)
	s.Click("#start")
	s.WaitFor(`document.querySelector("#status.trouble")`)
	s.Eval(`dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }))`)
	s.WaitFor(`document.querySelector("#sea").ariaLabel === "A boat on the left of the sea"`)
	s.Eval(`dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowLeft" }))`)
	s.Focus("#start")
	s.Quiet("Requested device not found")
}
