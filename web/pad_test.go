package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A line ends when its own finger or pen is lifted, not with a hand that touches the pad at the same time. Each event is a
// type, a pointer's id and its position; the pad reports a drawing after each line.
func TestLinesOfAPad(t *testing.T) {
	page := nodetest.Start(t, `
		const { Pad } = await import(ROOT + "web/static/web/pad.js");
		async function answer(events) {
			const did = [], heard = new Map();
			const context = {
				beginPath() {}, stroke() {}, fillRect() {}, drawImage() {}, putImageData() {}, clearRect() {},
				moveTo() {}, lineTo: (x) => did.push(x), getImageData: () => ({ data: new Uint8ClampedArray(4) }),
			};
			const canvas = {
				width: 100, height: 100, classList: { add() {} }, setPointerCapture() {}, getContext: () => context,
				addEventListener: (type, act) => heard.set(type, act),
				getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }),
			};
			globalThis.document = { createElement: () => ({ getContext: () => context, toBlob: (done) => done("blob") }) };
			new Pad(canvas, () => did.push("drew"));
			for (const [type, pointerId, x] of events) {
				heard.get(type)?.({ pointerId, clientX: x, clientY: 0, button: 0, preventDefault() {} });
				await new Promise((resolve) => setTimeout(resolve));
			}
			return did.join(" ");
		}`)
	for _, c := range []struct {
		what   string
		events [][]any
		want   string
	}{
		{"a line", [][]any{{"pointerdown", 1, 1}, {"pointermove", 1, 2}, {"pointerup", 1, 2}, {"lostpointercapture", 1, 2}, {"pointermove", 1, 3}}, "1 2 drew"},
		{"a hand touches it", [][]any{{"pointerdown", 1, 1}, {"pointerdown", 2, 9}, {"pointermove", 2, 9}, {"pointerup", 2, 9}, {"pointermove", 1, 2}, {"pointerup", 1, 2}}, "1 2 drew"},
		{"it is hidden meanwhile", [][]any{{"pointerdown", 1, 1}, {"lostpointercapture", 1, 1}, {"pointerdown", 2, 5}, {"pointerup", 2, 5}}, "1 drew 5 drew"},
	} {
		var got string
		if err := page.Ask(t, c.events, &got); err != nil || got != c.want {
			t.Errorf("%s: %q, error %+v; want %q", c.what, got, err, c.want)
		}
	}
}
