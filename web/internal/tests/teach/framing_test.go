//go:build !js

package teach_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/publish"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// quarters returns a film of one image with quarters of different colors.
func quarters(t *testing.T) string {
	t.Helper()
	const side = 64
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			picture.SetRGBA(x, y, quarterColors[2*(2*y/side)+2*x/side])
		}
	}
	return studiotest.Film(t, []studiotest.Segment{{Band: color.RGBA{128, 128, 128, 255}, Pictures: []image.Image{picture}}})
}

var quarterColors = []color.RGBA{studiotest.Red, studiotest.Green, studiotest.Blue, {230, 210, 40, 255}}

// The wheel, fingers and keys choose the network's view. Examples show the same as the stage. The
// frame is kept over a reload, in the project's file and on the shared page.
func TestFrameIsWhatTheNetworkSees(t *testing.T) {
	camera := quarters(t)
	s := open(t, browsertest.Options{Camera: camera}, studiotest.Spy)
	s.Ready()
	s.Window(1280, 720)
	s.startCamera()
	s.Click("#frame")
	s.WaitFor(`document.activeElement.id === "view"`)
	s.WaitFor(`document.querySelector("#frame-done").getBoundingClientRect().bottom <= innerHeight`)
	s.wheel(.01, .01, -500*math.Ln2)
	s.WaitFor(`document.querySelector("#zoom").valueAsNumber === 2`)
	s.showsQuarter(0)
	s.Shot("frame")
	s.Key(input.DispatchKeyEventTypeKeyDown, "0", "Digit0", 48)
	s.WaitFor(`document.querySelector("#zoom").valueAsNumber === 1 && !document.querySelector("video").style.width`)
	for range 8 {
		s.Key(input.DispatchKeyEventTypeKeyDown, "+", "Equal", 187)
	}
	s.WaitFor(`document.querySelector("#zoom").valueAsNumber > 3`)
	for range 10 { // the order of the slider's attributes is random
		s.Click("#frame-done")
		s.WaitFor(`!document.querySelector(".frame-panel")`)
		s.Click("#frame")
		s.WaitFor(`document.querySelector("#zoom")?.value === "3.05" && document.activeElement.id === "view"`)
	}
	s.Key(input.DispatchKeyEventTypeKeyDown, "ArrowDown", "ArrowDown", 40)
	s.WaitFor(`parseFloat(document.querySelector("video").style.top) < -103`) // -102.9% in the center
	s.Click("#frame-reset")

	s.drag(.5, .5, .5+1./6, .5) // up to the edge of the picture
	s.WaitFor(`document.querySelector("video").getBoundingClientRect().left === document.querySelector("#view").getBoundingClientRect().left + document.querySelector("#view").clientLeft`)
	s.Click("#frame-reset")
	s.wheel(.99, .99, -500*math.Ln2)
	s.WaitFor(`document.querySelector("#zoom").valueAsNumber === 2`)
	s.showsQuarter(3)
	s.Click("#mirror")
	s.WaitFor(`document.querySelector("video.mirrored")`)
	s.showsQuarter(3)
	s.Click("#frame-done")
	s.WaitFor(`document.activeElement.id === "frame" && !document.querySelector(".frame-panel")`)

	s.Press(studiotest.Card(1) + " .capture")()
	s.WaitCount(studiotest.Card(1)+" .thumbnail", 1)
	s.allOf(studiotest.Card(1)+" .thumbnail", quarterColors[3])
	if sides := browsertest.Eval[[]int](s.Browser, `[spy.sent[0].frame.width, spy.sent[0].frame.height]`); sides[0] != 240 || sides[1] != 240 {
		t.Errorf("the engine got a picture of %v pixels, want the 240 of the frame", sides)
	}
	s.IsKept()
	s.Revisit()
	s.startCamera()
	s.WaitFor(`document.querySelector("video.mirrored")`)
	s.showsQuarter(3)
	file := s.file()
	s.Quiet()

	shared := s.share(file, camera)
	shared.WaitFor(`document.querySelector("#camera") && !document.querySelector("#camera").disabled`)
	shared.Eval(`
		const classify = engine.classify.bind(engine);
		engine.classify = (source) => { globalThis.seen = source; return classify(source); };`)
	shared.Click("#camera")
	shared.WaitFor(`globalThis.seen instanceof HTMLCanvasElement && seen.width === 240 && document.querySelector("video.mirrored")`)
	shared.Shot("frame-shared")
	if got := browsertest.Eval[[]int](shared.Browser, `Array.from(seen.getContext("2d").getImageData(120, 120, 1, 1).data)`); away(got, quarterColors[3]) {
		t.Errorf("the engine of the shared page sees %v, want the quarter of %v", got, quarterColors[3])
	}
	shared.NoProblems()
}

// On a phone the frame has the full width, and two fingers zoom.
func TestFrameByTwoFingers(t *testing.T) {
	s := open(t, browsertest.Options{Camera: quarters(t)}, studiotest.Spy)
	s.Phone(390, 844)
	s.Ready()
	s.startCamera()
	s.Shot("phone-camera")
	s.Click("#frame")
	s.WaitFor(`document.querySelector("#view.framing")?.clientWidth > 300`)
	x, y := s.Center("#view")
	s.touches(input.DispatchTouchEventTypeTouchStart, x-20, y, x+20, y)
	for apart := 25.; apart <= 60; apart += 5 {
		s.touches(input.DispatchTouchEventTypeTouchMove, x-apart, y, x+apart, y)
	}
	s.touches(input.DispatchTouchEventTypeTouchEnd)
	s.WaitFor(`document.querySelector("#zoom").valueAsNumber === 3`)
	s.Shot("phone-frame")
	if got := browsertest.Eval[int](s.Browser, "document.documentElement.scrollWidth"); got > 390 {
		t.Errorf("the page is %d px wide", got)
	}
	s.Quiet()
}

// startCamera starts the camera with the keyboard. The focus stays on the button.
func (s *studio) startCamera() {
	s.T.Helper()
	s.Focus("#start")
	s.Keys("\r")
	s.WaitFor(`document.querySelector("video").videoWidth > 0 && document.querySelector("#frame")`)
	if got := browsertest.Eval[string](s.Browser, "document.activeElement.id"); got != "start" {
		s.T.Errorf("after the camera was started the focus is on %q", got)
	}
}

// wheel turns the mouse wheel at a position of the stage, in fractions of its sides.
func (s *studio) wheel(x, y, by float64) {
	s.T.Helper()
	left, top, side := s.view()
	browsertest.Call(s.Browser, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseWheel, X: left + x*side, Y: top + y*side, DeltaX: math.SmallestNonzeroFloat32, DeltaY: by, // 0 would be omitted
	})
}

// drag drags the mouse from one position of the stage to another.
func (s *studio) drag(x0, y0, x1, y1 float64) {
	s.T.Helper()
	left, top, side := s.view()
	s.Drag(left+x0*side, top+y0*side, left+x1*side+1, top+y1*side, 1)
}

// view returns the position of the stage in the window.
func (s *studio) view() (left, top, side float64) {
	s.T.Helper()
	r := browsertest.Eval[[]float64](s.Browser, `(() => { const r = document.querySelector("#view").getBoundingClientRect(); return [r.x, r.y, r.width]; })()`)
	return r[0], r[1], r[2]
}

// touches puts fingers on positions, moves them, or lifts all.
func (s *studio) touches(typ input.DispatchTouchEventType, places ...float64) {
	s.T.Helper()
	points := []*input.TouchPoint{}
	for i := 0; i < len(places); i += 2 {
		points = append(points, &input.TouchPoint{X: places[i], Y: places[i+1], ID: new(float64(i))})
	}
	browsertest.Call(s.Browser, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points})
}

// showsQuarter waits until the stage shows only one quarter: the image is twice as large as the
// stage, at the right offset.
func (s *studio) showsQuarter(n int) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`(() => {
		const view = document.querySelector("#view").getBoundingClientRect();
		const video = document.querySelector("video").getBoundingClientRect();
		const mirrored = document.querySelector("video.mirrored");
		const side = video.height, at = (view.x - video.x - (video.width - side) / 2) / side;
		const x = mirrored ? 0.5 - at : at, y = (view.y - video.y) / side;
		const near = (a, b) => Math.abs(a - b) < 0.02;
		return near(side / view.height, 2) && near(x, %v) && near(y, %v);
	})()`, .5*float64(n%2), .5*float64(n/2)))
}

// allOf fails the test unless a thumbnail has one color everywhere.
func (s *studio) allOf(thumbnail string, want color.RGBA) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector(%q).querySelector("img").naturalWidth > 0`, thumbnail))
	for _, got := range browsertest.Eval[[][]int](s.Browser, fmt.Sprintf(`(() => {
		const image = document.querySelector(%q).querySelector("img");
		const { naturalWidth: width, naturalHeight: height } = image;
		const context = new OffscreenCanvas(width, height).getContext("2d");
		context.drawImage(image, 0, 0);
		const { data } = context.getImageData(0, 0, width, height);
		const places = [[.1, .1], [.9, .1], [.5, .5], [.1, .9], [.9, .9]];
		return places.map(([x, y]) => 4 * (Math.floor(y * height) * width + Math.floor(x * width))).map((at) => Array.from(data.slice(at, at + 3)));
	})()`, thumbnail)) {
		if away(got, want) {
			s.T.Errorf("%s has %v, want %v", thumbnail, got, want)
		}
	}
}

// away reports whether a color differs clearly from another.
func away(got []int, want color.RGBA) bool {
	for i, v := range []uint8{want.R, want.G, want.B} {
		if d := got[i] - int(v); d > 30 || d < -30 {
			return true
		}
	}
	return false
}

// file saves the project as a file and returns its content.
func (s *studio) file() []byte {
	s.T.Helper()
	s.OpenDialog("#open-projects", "#projects")
	s.Click("#save-file")
	data := require.Value(os.ReadFile(s.Saved(".deepemd")))(s.T)
	return data
}

// share opens the shared page of a project, in a browser with a camera.
func (s *studio) share(file []byte, camera string) *studiotest.Studio {
	s.T.Helper()
	path := studiotest.SharedPage(s.T, "", publish.Contents{Project: file})
	return studiotest.OpenPage(s.T, "file://"+path, browsertest.Options{Camera: camera})
}
