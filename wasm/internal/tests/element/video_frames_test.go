//go:build !js

package element_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The element waits for each frame with the means of the browser: a callback for frames, the number
// of frames, or the painting of the page.
func TestVideoFrames(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL"></deep-emd>`)
	browsertest.Eval[any](b, `(async () => {
		const { VideoFrames } = await import("/deepemd/video-frames.js");
		window.endless = 2 ** 30;
		// A video whose frames the test shows.
		window.film = (lacks = []) => {
			const asked = new Map();
			let shown = 0, last = 0;
			const video = {
				requestVideoFrameCallback(done) { asked.set(++last, done); return last; },
				cancelVideoFrameCallback(id) { asked.delete(id); },
				getVideoPlaybackQuality: () => ({ totalVideoFrames: shown }),
			};
			for (const name of lacks) delete video[name];
			return {
				frames: new VideoFrames(video), asked,
				count() { shown++; },
				say() { const told = [...asked.values()]; asked.clear(); told.forEach((done) => done()); },
			};
		};
	})()`)
	for _, c := range []struct{ name, script string }{
		{"the browser says it", `const f = film(["getVideoPlaybackQuality"]), next = f.frames.next(endless); f.say(); return await next`},
		{"the browser only counts", `const f = film(), next = f.frames.next(endless); f.count(); return await next && f.asked.size === 0`},
		{"one that came meanwhile", `const f = film(); f.count(); await f.frames.next(endless); f.count(); return await f.frames.next(endless)`},
		{"none is given twice", `const f = film(); f.count(); await f.frames.next(endless); return !(await f.frames.next(50)) && f.asked.size === 0`},
		{"what was said and counted is one frame", `const f = film(), next = f.frames.next(endless); f.count(); f.say(); await next; return !(await f.frames.next(50))`},
		{"another film begins", `const f = film(); f.count(); f.count(); await f.frames.next(endless); f.count(); return await f.frames.next(endless)`},
		{"only painting is there", `const f = film(["requestVideoFrameCallback", "getVideoPlaybackQuality"]); return await f.frames.next(endless) && await f.frames.next(endless)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !browsertest.Eval[bool](b, `Promise.race([(async () => { `+c.script+` })(), new Promise((late) => setTimeout(late, 60000, false))])`) {
				t.Error(c.script)
			}
		})
	}
	b.NoProblems()
}

// mute is a browser that never says that a video shows a frame, as WebKitGTK where no graphics
// processor paints, and in which what waits for a second waits for ever.
const mute = `
	HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
	const timeout = globalThis.setTimeout;
	globalThis.setTimeout = (done, after, ...given) => (after >= 1000 ? 0 : timeout(done, after, ...given));`

// The element answers live even if the browser does not announce frames.
func TestElementAnswersWhereBrowserIsMute(t *testing.T) {
	_, b := newElement(t, `<deep-emd camera weights="SMALL"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	browsertest.Eval[any](b, `(async () => {
		await element.teach("cup", plain(200, 20, 20));
		await element.teach("pen", plain(20, 20, 200));
		`+mute+`
		await element.start();
	})()`)
	b.WaitFor(`events.filter((e) => e.type === "prediction").length >= 5`)
	if got := browsertest.Eval[string](b, `(() => {
		const ended = [], { stop } = MediaStreamTrack.prototype;
		MediaStreamTrack.prototype.stop = function () {
			ended.push(shadow.querySelector("video").srcObject ? "shown" : "let go");
			return stop.call(this);
		};
		element.stop();
		return ended.join();
	})()`); got != "let go" {
		t.Errorf("the camera's track ended while the video was %q: WebKitGTK stands still then", got)
	}
	b.NoProblems()
}
