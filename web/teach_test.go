package web_test

import (
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/browsertest"
)

//go:embed testdata/spy.js
var spy string

// The things that the camera is shown: classes of Tiny ImageNet's test split,
// which the network was not trained on, and how a person would call them.
var things = []struct {
	wordnet, name string
	teach, test   color.RGBA // bands of the segments
}{
	{"n04398044", "Teapot", color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 255, 255}},
	{"n01882714", "Koala", color.RGBA{0, 255, 0, 255}, color.RGBA{255, 0, 255, 255}},
	{"n04487081", "Trolleybus", color.RGBA{0, 0, 255, 255}, color.RGBA{255, 255, 0, 255}},
}

const (
	shots         = 5  // examples of each class
	pictures      = 15 // of each segment
	framesChecked = 5  // of each segment,
	framesApart   = 5  // so many apart, to see several pictures
	tolerance     = 1e-3
)

// The whole of it, as a person does it: start the camera, name three classes,
// hold each one's button while the camera shows it, and read the answer. The
// page must say what native code says about the very same pixels, keep all
// requests within its origin, and keep its main thread free.
func TestTeachThreeClassesAndClassifyLive(t *testing.T) {
	var segments []segment
	for _, thing := range things {
		segments = append(segments, segment{thing.teach, tinyImageNet(t, thing.wordnet, 0, pictures)})
	}
	for _, thing := range things {
		segments = append(segments, segment{thing.test, tinyImageNet(t, thing.wordnet, pictures, 2*pictures)})
	}
	s := open(t, browsertest.Options{Camera: film(t, segments), Timeout: 4 * time.Minute}, spy)
	s.ready()
	s.click("#start")
	s.WaitFor(`document.querySelector("video").videoWidth === 640`, 20*time.Second)
	for i, thing := range things {
		if i >= 2 {
			s.click("#add-class")
			s.waitCount(".card", i+1)
		}
		s.name(i+1, thing.name)
	}
	for i, thing := range things {
		s.waitForSegment(thing.teach)
		sent := browsertest.Eval[int](s.Browser, "spy.sent.length")
		release := s.press(card(i+1) + " .capture")
		s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length >= %d", card(i+1)+" .thumbnail", shots), 20*time.Second)
		release()
		s.WaitFor(`!document.querySelector(".card.held") && spy.sent.every((r) => r.reply)`, 10*time.Second)
		s.WaitFor(fmt.Sprintf("document.querySelectorAll(%q).length === spy.sent.length - %d", card(i+1)+" .thumbnail", sent), 5*time.Second)
		s.keepOnly(i+1, shots)
	}

	n := newNative(t)
	for i, thing := range things {
		n.teach(thing.name, s.checkExamples(n, i+1, thing.teach)...)
	}

	s.Eval("spy.copying = true")
	right, frames := 0, 0
	for i, thing := range things {
		s.waitForSegment(thing.test)
		s.Eval("spy.sent = []")
		s.WaitFor(fmt.Sprintf("spy.sent.filter((r) => r.reply).length >= %d", framesChecked*framesApart), 20*time.Second)
		s.Eval("spy.copying = false")
		for f := range framesChecked {
			if best := s.checkFrame(n, f*framesApart); best == i {
				right++
			}
			frames++
		}
		s.Eval("spy.copying = true")
	}
	s.Eval("spy.sent = []; spy.copying = false")
	t.Logf("%d of %d frames recognised; probabilities within %.1e of native code's", right, frames, n.worst)

	s.portraits()
	s.checkBars()
	s.checkMainThread()
	if most := browsertest.Eval[int](s.Browser, "spy.most"); most != 1 {
		t.Errorf("%d frames were under way at once, want never more than 1", most)
	}
	s.click("#start")
	s.WaitFor(`document.querySelector("video.hidden") && !document.querySelector("video").srcObject`, 5*time.Second)
	s.quiet()
}

// portraits takes the screenshots that the README shows: the page as it answers,
// on a desktop, in the dark and on a phone.
func (s *studio) portraits() {
	s.t.Helper()
	if os.Getenv("DEEPEMD_SCREENSHOTS") == "" {
		return
	}
	for _, p := range []struct {
		name, scheme  string
		width, height int64
		thing         int
	}{
		{"desktop", "light", 1280, 760, 1},
		{"dark", "dark", 1280, 760, 2},
		{"phone", "light", 360, 740, 1},
	} {
		s.Do(chromedp.EmulateViewport(p.width, p.height), s.scheme(p.scheme))
		s.Eval("scrollTo(0, 0)")
		// The film changes pictures faster than a screenshot is taken.
		sure := fmt.Sprintf(`(async () => {
			const video = document.querySelector("video");
			const sure = () => /^%s(9[0-9]|100)%%/.test(document.querySelector(".caption").textContent) && %s;
			const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
			for (let i = 0; i < 500 && !sure(); i++) await pause(20);
			video.pause();
			await pause(500);
			if (sure()) return true;
			await video.play();
			return false;
		})()`, things[p.thing].name, shows(things[p.thing].test))
		for try := 0; !browsertest.Eval[bool](s.Browser, sure); try++ {
			if try == 20 {
				s.t.Fatalf("no picture of a %s that the page is sure of", things[p.thing].name)
			}
		}
		s.shot(p.name)
		if p.name == "desktop" {
			s.click("#closer")
			s.WaitFor(`document.querySelector("#closer-look[open] .figures")`, 5*time.Second)
			time.Sleep(500 * time.Millisecond)
			s.shot("why")
			s.click("#closer-look header button")
		}
		s.Eval(`document.querySelector("video").play()`)
	}
	s.Do(chromedp.ResetViewport(), s.scheme("light"))
}

// scheme makes the browser prefer light or dark.
func (s *studio) scheme(name string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return chromedp.Void{}, err
	}
}

// waitForSegment waits until the camera begins to show a segment.
func (s *studio) waitForSegment(band color.RGBA) {
	s.t.Helper()
	s.WaitFor("!"+shows(band), 30*time.Second)
	s.WaitFor(shows(band), 30*time.Second)
}

// shows is the condition that the camera shows the segment with the given band.
func shows(band color.RGBA) string {
	return fmt.Sprintf(`(([r, g, b]) => Math.abs(r - %d) + Math.abs(g - %d) + Math.abs(b - %d) < 150)(spy.band())`, band.R, band.G, band.B)
}

// keepOnly deletes the last examples of a class by their buttons.
func (s *studio) keepOnly(class, n int) {
	s.t.Helper()
	for {
		got := s.count(card(class) + " .thumbnail")
		if got == n {
			return
		}
		s.click(fmt.Sprintf("%s .thumbnail:nth-child(%d) button", card(class), got))
		s.waitCount(card(class)+" .thumbnail", got-1)
	}
}

// checkExamples returns what the network saw of a class's examples, and fails
// the test unless they come from the right segment and the thumbnails show
// exactly that.
func (s *studio) checkExamples(n *native, class int, band color.RGBA) []*imaging.Image {
	s.t.Helper()
	var examples []*imaging.Image
	for i := range shots {
		thumbnail := fmt.Sprintf("%s .thumbnail:nth-child(%d)", card(class), i+1)
		index := browsertest.Eval[int](s.Browser, fmt.Sprintf(
			`spy.sent.findIndex((r) => r.exampleId === document.querySelector(%q).dataset.example)`, thumbnail))
		frame, seen := s.frame(n, index), s.seen(n, index)
		if got := frame.Pix[:3]; distance(got, band) > 150 {
			s.t.Errorf("example %d of class %d comes from a segment with the band %v, want %v", i+1, class, got, band)
		}
		shown := n.picture(seen.Width, seen.Height, s.bytes(fmt.Sprintf(`(() => {
			const canvas = document.querySelector(%q).querySelector("canvas");
			return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		})()`, thumbnail)))
		if !slices.Equal(shown.Pix, seen.Pix) {
			s.t.Errorf("the thumbnail of example %d of class %d does not show what the network saw", i+1, class)
		}
		n.checkSquare(frame, seen)
		examples = append(examples, seen)
	}
	return examples
}

// checkSquare fails the test unless the network saw the central square of the
// frame, but for how browsers scale.
func (n *native) checkSquare(frame, seen *imaging.Image) {
	n.t.Helper()
	want := n.preprocess.Pixels(frame)
	var sum float64
	for i, v := range want.Pix {
		sum += math.Abs(float64(v) - float64(seen.Pix[i]))
	}
	if mean := sum / float64(len(want.Pix)); mean > 2 {
		n.t.Errorf("the network saw something %.1f grey levels away from the frame's central square", mean)
	}
}

// checkFrame fails the test unless the page's answer for a frame is the native
// one for the same pixels, and returns the most probable class.
func (s *studio) checkFrame(n *native, index int) int {
	s.t.Helper()
	seen := s.seen(n, index)
	n.checkSquare(s.frame(n, index), seen)
	want := n.classify(seen)
	got := browsertest.Eval[[]float64](s.Browser, fmt.Sprintf(`(() => {
		const ids = Array.from(document.querySelectorAll(".card"), (c) => c.dataset.class);
		return ids.map((id) => spy.sent[%d].reply.scores.find((s) => s.id === id).score);
	})()`, index))
	if fewshot.Best(got) != fewshot.Best(want) {
		s.t.Errorf("frame %d: the page says class %d %v, native code class %d %v", index, fewshot.Best(got), got, fewshot.Best(want), want)
	}
	for i := range want {
		d := math.Abs(got[i] - want[i])
		if d > tolerance {
			s.t.Errorf("frame %d, class %d: the page says %v, native code %v", index, i, got[i], want[i])
		}
		n.worst = max(n.worst, d)
	}
	return fewshot.Best(want)
}

// checkBars fails the test unless the bars show the answers.
func (s *studio) checkBars() {
	s.t.Helper()
	for range 50 {
		same := browsertest.Eval[bool](s.Browser, `(() => {
			const bars = Array.from(document.querySelectorAll(".bar"));
			return bars.length === 3 && bars.every((bar) => {
				const score = spy.last.find((s) => s.id === bar.dataset.class).score;
				return Math.abs(bar.querySelector(".fill").ariaValueNow - score) <= 1e-4;
			}) && document.querySelectorAll(".bar.best").length === 1;
		})()`)
		if same {
			return
		}
	}
	s.t.Error("the bars do not show the answers")
}

// checkMainThread fails the test if answering keeps the page's main thread busy
// for more than 50 ms at a time. A machine that is short of processors can do
// that to any page: a stretch without long tasks is looked for.
func (s *studio) checkMainThread() {
	s.t.Helper()
	const tries, stretch = 4, 4 * time.Second
	var all [][]float64
	for range tries {
		s.Eval("spy.longTasks = []; spy.answers = 0")
		time.Sleep(stretch)
		answers := browsertest.Eval[int](s.Browser, "spy.answers")
		tasks := browsertest.Eval[[]float64](s.Browser, "spy.longTasks")
		if answers < 10 {
			s.t.Errorf("%d answers in %v, want 10 at least", answers, stretch)
		}
		if len(tasks) == 0 {
			s.t.Logf("%d answers in %v without a task of more than 50 ms; %s", answers, stretch, s.text(".speed"))
			return
		}
		all = append(all, tasks)
	}
	s.t.Errorf("the main thread was busy for %v ms at a time", all)
}

// frame fetches a frame that the page sent to its engine.
func (s *studio) frame(n *native, index int) *imaging.Image {
	s.t.Helper()
	size := browsertest.Eval[[]int](s.Browser, fmt.Sprintf("[spy.sent[%d].frame.width, spy.sent[%d].frame.height]", index, index))
	return n.picture(size[0], size[1], s.bytes(fmt.Sprintf("spy.sent[%d].frame.data", index)))
}

// seen fetches what the network saw of a frame.
func (s *studio) seen(n *native, index int) *imaging.Image {
	s.t.Helper()
	side := n.preprocess.Size
	return n.picture(side, side, s.bytes(fmt.Sprintf("spy.sent[%d].reply.pixels", index)))
}

// bytes fetches the bytes that an expression gives.
func (s *studio) bytes(expression string) []byte {
	s.t.Helper()
	data, err := base64.StdEncoding.DecodeString(browsertest.Eval[string](s.Browser, "spy.base64("+expression+")"))
	if err != nil {
		s.t.Fatal(err)
	}
	return data
}

// distance is how far apart two colours are.
func distance(rgb []byte, c color.RGBA) int {
	d := 0
	for i, v := range []uint8{c.R, c.G, c.B} {
		d += max(int(rgb[i]), int(v)) - min(int(rgb[i]), int(v))
	}
	return d
}
