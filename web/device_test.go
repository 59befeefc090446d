package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A serial device that stops reading gets only the latest line once it reads again, can be disconnected before, and connects
// again.
func TestADeviceThatDoesNotRead(t *testing.T) {
	page := nodetest.Start(t, `
		Object.assign(globalThis, {
			addEventListener() {}, location: { origin: "", href: "" }, fetch: async () => new Response(),
			PerformanceObserver: class { observe() {} },
		});
		const { Device } = await import(ROOT + "web/static/web/device.js");
		class Port extends EventTarget {
			async open() {
				if (this.writable) throw new Error("it is open");
				this.writable = new WritableStream({
					start: (controller) => (this.controller = controller),
					write: async (bytes) => {
						got += new TextDecoder().decode(bytes);
						if (reads) return;
						await new Promise((resolve, reject) => {
							read = resolve;
							this.controller.signal.onabort = reject;
						});
					},
				});
			}
			async close() { this.writable = undefined; }
		}
		let got, reads, read;
		async function answer(steps) {
			const port = new Port(), lost = [];
			Object.defineProperty(globalThis, "navigator", { configurable: true, value: { serial: { requestPort: async () => port } } });
			const device = new Device((error) => lost.push(error.message));
			got = "", reads = true;
			await device.connect(9600);
			for (const step of steps) {
				if (step === "stops") reads = false;
				else if (step === "reads") reads = true, read();
				else if (step === "again") await device.disconnect(), reads = true, await device.connect(9600);
				else if (step === "unplugged") port.dispatchEvent(new Event("disconnect"));
				else device.write(step);
				for (let i = 0; i < 3; i++) await new Promise(setImmediate);
			}
			return got + lost;
		}`)
	for _, c := range []struct {
		steps []string
		want  string
	}{
		{[]string{"a", "b\n2"}, "a\nb 2\n"},
		{[]string{"a", "stops", "b", "c", "d", "reads", "e"}, "a\nb\nd\ne\n"},
		{[]string{"stops", "a", "b", "again", "c"}, "a\nc\n"},
		{[]string{"again", "again", "unplugged", "a"}, "it was unplugged"},
	} {
		var got string
		if err := page.Ask(t, c.steps, &got); err != nil || got != c.want {
			t.Errorf("%q: %q, error %+v; want %q", c.steps, got, err, c.want)
		}
	}
}
