//go:build !js

package element_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// A project defines the square of the camera's picture that the network sees: the element shows it,
// and passes only this square to its engine.
func TestElementSeesTheFrameOfItsProject(t *testing.T) {
	_, b := newElement(t, `<deep-emd camera weights="SMALL"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	browsertest.Eval[any](b, `(async () => {
		await element.teach("wave", plain(200, 20, 20));
		const { saveProject } = await import("/deepemd/project.js");
		const engine = await element.engine;
		const add = engine.addExample.bind(engine);
		engine.addExample = (id, source, options) => { window.seen = source; return add(id, source, options); };
		element.project = await saveProject(engine, { extensions: { frame: { zoom: 2, x: 0.25, y: -0.25, mirror: true } } });
		await next(element, "change");
		await element.start();
		await element.teach("wave");
	})()`)
	b.WaitFor(`window.seen instanceof HTMLCanvasElement && shadow.querySelector("video.mirrored")`)
	if !browsertest.Eval[bool](b, `(() => {
		const { videoWidth, videoHeight, style } = shadow.querySelector("video");
		const side = Math.min(videoWidth, videoHeight) / 2;
		const near = (text, shares) => Math.abs(parseFloat(text) - 100 * shares) < 1;
		return seen.width === side && seen.height === side && near(style.width, videoWidth / side) && near(style.top, 0);
	})()`) {
		t.Error("the element does not show or see the frame")
	}
	got := browsertest.Eval[string](b, `(async () => {
		const { unpackProject } = await import("/deepemd/project.js");
		return JSON.stringify((await unpackProject(await element.save())).manifest.extensions);
	})()`)
	if got != `{"frame":{"zoom":2,"x":0.25,"y":-0.25,"mirror":true}}` {
		t.Errorf("the element saves %s", got)
	}
	b.NoProblems()
}
