//go:build !js

package browsers_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The element on another site's page learns from its camera, answers and explains.
func TestElement(t *testing.T) {
	red := studiotest.PictureFile(t, "red.jpg", studiotest.Red)
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/examples/element/")
		const element = `document.querySelector("deep-emd")`
		s.WaitFor(element + `.engine?.then(() => true)`)
		if radius := browsertest.Eval[string](s.Browser, `getComputedStyle(`+element+`).borderRadius`); radius != "22px" {
			t.Errorf("the element's corners are %q, want the page's 22px: the policy stops its style sheet", radius)
		}
		s.Upload("#query", studiotest.PictureFile(t, "early.jpg", studiotest.Red)) // choosing the same file again sends no change event
		s.WaitFor(`document.querySelector("#log").innerText.includes("no examples yet")`)
		s.Eval(`const picture = async (color) => {
				const canvas = document.createElement("canvas");
				canvas.width = canvas.height = 84;
				const context = canvas.getContext("2d");
				context.fillStyle = color;
				context.fillRect(20, 20, 44, 44);
				return new Promise((done) => canvas.toBlob(done));
			};
			globalThis.taught = (async () => {
				for (const [label, color] of [["cup", "rgb(210 40 30)"], ["pen", "rgb(40 60 220)"]]) {
					for (let i = 0; i < 2; i++) await ` + element + `.teach(label, await picture(color));
				}
				return true;
			})();`)
		s.WaitFor(`taught`)
		s.Upload("#query", red)
		s.WaitFor(`document.querySelector("#log").innerText.startsWith("cup ")`)
		if best := browsertest.Eval[string](s.Browser, element+`.explain().then((e) => e.label ?? JSON.stringify(Object.keys(e)))`); best == "" {
			t.Error("the element does not say why")
		}
		size := browsertest.Eval[int](s.Browser, element+`.save({ name: "Two" }).then((file) => file.size)`)
		if size < 1000 {
			t.Errorf("the project's file has %d bytes", size)
		}

		s.Eval(element + `.start().catch((error) => (globalThis.refused = String(error)))`)
		s.WaitFor(element + `.shadowRoot.querySelector("video").videoWidth > 0 || globalThis.refused`)
		if refused := browsertest.Eval[string](s.Browser, `globalThis.refused ?? ""`); refused != "" {
			t.Errorf("the element's camera: %s", refused)
		}
		s.Eval(`globalThis.live = 0; ` + element + `.addEventListener("prediction", () => live++)`)
		s.WaitFor(`live >= 5`)
		s.Shot("element")
		s.Eval(element + `.stop()`)
		s.nothingLeft()
	})
}
