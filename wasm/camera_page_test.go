//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestSlowCamera stops a camera before it has started, and starts another that is faster: the video keeps showing that one.
func TestSlowCamera(t *testing.T) {
	page := nodetest.Start(t, `
		const { Camera } = await import(ROOT + "wasm/npm/element-live.js");
		async function answer() {
			const open = [], stopped = [];
			const getUserMedia = () => new Promise((resolve) => open.push(resolve));
			Object.defineProperty(globalThis, "navigator", { value: { mediaDevices: { getUserMedia } } });
			globalThis.document = new EventTarget();
			const video = { srcObject: null, async play() {} };
			const stream = (name) => ({ name, getTracks: () => [{ addEventListener() {}, stop: () => stopped.push(name) }] });
			const cameras = [new Camera({ video }), new Camera({ video })];
			const slow = cameras[0].start({});
			cameras[0].stop();
			const fast = cameras[1].start({});
			open[1](stream("fast"));
			await fast;
			open[0](stream("slow"));
			await slow;
			cameras[0].stop(); // as watch does
			return [video.srcObject?.name, ...stopped].join(" ");
		}`)
	var got string
	if err := page.Ask(t, struct{}{}, &got); err != nil || got != "fast slow" {
		t.Errorf("%q, error %+v; want the fast camera, and the slow one stopped", got, err)
	}
}
