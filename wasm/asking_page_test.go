//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// An error of the page's onProgress ends classifyAll, and no further images are classified.
func TestAnErrorOfOnProgressEndsClassifyAll(t *testing.T) {
	page := nodetest.Start(t, `
		const { Asking } = await import(ROOT + "wasm/npm/asking.js");
		async function answer(images) {
			let asked = 0, told = 0;
			const asking = new Asking({ assertOpen() {} });
			asking.classify = async () => {
				asked++;
				await new Promise((resolve) => setTimeout(resolve));
				return {};
			};
			const onProgress = () => {
				if (++told === 1) throw new Error("of the page");
			};
			const why = await asking.classifyAll(Array(images).fill({}), { onProgress }).catch(({ message }) => message);
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
