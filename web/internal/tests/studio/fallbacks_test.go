//go:build !js

package studio_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// olden removes optional browser features, and turns the camera into a phone's.
const olden = `
	delete HTMLVideoElement.prototype.requestVideoFrameCallback;
	delete globalThis.VideoFrame;
	delete globalThis.OffscreenCanvas;
	delete Navigator.prototype.serviceWorker;
	globalThis.BroadcastChannel = class {
		constructor() { throw new DOMException("The operation is insecure.", "SecurityError"); }
	};
	Object.defineProperty(globalThis, "localStorage", { configurable: true, get() { throw new DOMException("not here", "SecurityError"); } });
	globalThis.asked = [];
	const getUserMedia = MediaDevices.prototype.getUserMedia;
	MediaDevices.prototype.getUserMedia = async function (wanted) {
		asked.push(wanted.video.facingMode?.ideal ?? "by id");
		return getUserMedia.call(this, wanted);
	};
	const enumerateDevices = MediaDevices.prototype.enumerateDevices;
	MediaDevices.prototype.enumerateDevices = async function () {
		const [one] = (await enumerateDevices.call(this)).filter(({ kind }) => kind === "videoinput");
		return [one, { kind: "videoinput", deviceId: "other", label: "other" }];
	};
	const getSettings = MediaStreamTrack.prototype.getSettings;
	MediaStreamTrack.prototype.getSettings = function () {
		return { ...getSettings.call(this), facingMode: asked.at(-1) };
	};`

// The studio works in browsers without its preferred features: callbacks of video frames,
// VideoFrame, OffscreenCanvas, service workers, storage and channels between tabs. On a phone, the camera turns from back
// to front.
func TestBrowsersThatLackThings(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, olden)
	s.Ready()
	s.Click("#start")
	s.WaitFor(`document.querySelector("#turn")`)
	for class := 1; class <= 2; class++ {
		s.Hold(class, 2)
	}
	s.WaitFor(`document.querySelectorAll(".bar:not(.unknown)").length === 2`)
	if browsertest.Eval[bool](s.Browser, `document.querySelector("video").matches(".mirrored")`) {
		t.Error("the camera at the back is mirrored")
	}
	s.Click("#turn")
	s.WaitFor(`document.querySelector("video.mirrored") && document.querySelector("#turn")`)
	s.Click("#turn")
	s.WaitFor(`document.querySelector("video:not(.mirrored)") && document.querySelector("#turn")`)
	if got := browsertest.Eval[string](s.Browser, `asked.join(" ")`); got != "environment user environment" {
		t.Errorf("cameras were asked for as %q, want back, front, back", got)
	}
	s.OpenDialog("#open-settings", "#settings")
	s.Click("input[name=theme][value=dark]")
	s.WaitFor(`document.documentElement.dataset.theme === "dark"`)
	if got := browsertest.Eval[string](s.Browser, `(() => {
		const { muted, playsInline } = document.querySelector("video");
		return muted + " " + playsInline;
	})()`); got != "true true" {
		t.Errorf("muted and playsInline are %s: phones would show the video by itself", got)
	}
}

// mute is a browser that has no callbacks of video frames but shows them, like WebKitGTK without a
// graphics processor.
const mute = `
	HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
	globalThis.ended = [];
	const stop = MediaStreamTrack.prototype.stop;
	MediaStreamTrack.prototype.stop = function () {
		ended.push(document.querySelector("video").srcObject ? "shown" : "let go");
		return stop.call(this);
	};
	globalThis.classified = 0;
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (...given) {
		if (given[0]?.type === "classify") classified++;
		return post.apply(this, given);
	};`

// Live answers work in a browser that does not report new frames.
func TestLiveWhereBrowserIsMute(t *testing.T) {
	s := open(t, browsertest.Options{Camera: studiotest.PlainFilm(t)}, mute)
	s.StartCamera()
	for class := 1; class <= 2; class++ {
		s.Hold(class, 2)
	}
	s.Eval("classified = 0")
	s.WaitFor("classified >= 10")
	s.Click("#start")
	s.WaitFor(`ended.length > 0 && document.querySelector("video.hidden")`)
	if got := browsertest.Eval[string](s.Browser, `ended.join()`); got != "let go" {
		t.Errorf("the camera's track ended while the video was %s: WebKitGTK stands still then", got)
	}
	s.Quiet()
}
