//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// An error of the page's onProgress ends classifyAll, and no further images are classified.
func TestAnErrorOfOnProgressEndsClassifyAll(t *testing.T) {
	page := nodetest.Start(t, `
		const { classifyAll } = await import(ROOT + "wasm/npm/asking.js");
		async function answer(images) {
			let asked = 0, told = 0;
			const engine = {
				info: { nodes: 1, channels: 1 }, options: {}, assertOpen() {},
				async request() {
					asked++;
					await new Promise((resolve) => setTimeout(resolve));
					return { scores: [], embedMs: 0 };
				},
			};
			const onProgress = () => {
				if (++told === 1) throw new Error("of the page");
			};
			const why = await classifyAll(engine, Array(images).fill({ embedding: new Float32Array([1]) }), { onProgress }).catch(({ message }) => message);
			await new Promise((resolve) => setTimeout(resolve, 100));
			return { why, asked, told };
		}`)
	var got struct {
		Why         string
		Asked, Told int
	}
	if err := page.Ask(t, 20, &got); err != nil || got.Why != "of the page" || got.Asked > 2 || got.Told != 1 {
		t.Errorf("%+v, error %+v", got, err)
	}
}
