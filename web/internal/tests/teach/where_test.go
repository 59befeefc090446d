//go:build !js

package teach_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// glows reports whether the picture is covered with light and shade.
const glows = `(() => {
	const canvas = document.querySelector(".where");
	const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	const alpha = Array.from(data).filter((_, i) => i % 4 === 3);
	return canvas.width === 20 && Math.max(...alpha) > 100 && Math.min(...alpha) > 0;
})()`

// A switch shows the location of the evidence: over the camera, mirrored like it, and over a still
// picture.
func TestWhereTheEvidenceLies(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, studiotest.Spy, softReading)
	s.Ready()
	s.Drop(studiotest.Card(1), studiotest.PictureFile(t, "red.jpg", studiotest.Red))
	s.Drop(studiotest.Card(2), studiotest.PictureFile(t, "blue.jpg", studiotest.Blue))
	s.WaitCount(".thumbnail", 2)
	s.Drop("#view", studiotest.PictureFile(t, "test.jpg", studiotest.Blue))
	s.WaitFor(`document.querySelector("#where")`)
	s.Click("#where")
	s.WaitFor(`document.querySelector("#where").ariaPressed === "true" && ` + glows)
	s.Shot("where-picture")
	s.startCamera()
	s.WaitFor(`document.querySelector(".caption:not(.hidden)") && ` + glows)
	s.Shot("where")
	s.Click("#frame")
	s.Click("#mirror")
	s.WaitFor(`document.querySelector(".where.mirrored") && document.querySelector("video.mirrored")`)
	s.Click("#frame-done")
	s.Click("#where")
	s.WaitFor(`document.querySelector("#where").ariaPressed === "false" && !` + glows)
	s.Quiet()
}

// softReading optimizes the canvas for frequent reading by the test.
const softReading = `
	const getContext = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, options) {
		return getContext.call(this, kind, this.classList.contains("where") ? { ...options, willReadFrequently: true } : options);
	};`
