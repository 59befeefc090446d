package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// The rate of a network is finite on a clock that moves in steps: most answers then take no time at all.
func TestRateOfANetwork(t *testing.T) {
	page := nodetest.Start(t, `
		import { register } from "node:module";
		register("data:text/javascript," + encodeURIComponent(
			'export const resolve = (name, context, next) => next(name === "deepemd" ? "data:text/javascript,export const DeepEMD = globalThis.DeepEMD" : name, context);'));
		let times;
		globalThis.DeepEMD = class {
			static create = async () => new this();
			info = { name: "n", nodes: 25, inputSize: 84 };
			async addClass() {}
			async addExample() {}
			async classify() { return { scores: [{ score: 1 }], ms: times[(this.n = (this.n ?? -1) + 1) % times.length] }; }
			dispose() {}
		};
		const { measure } = await import(ROOT + "web/static/web/measure.js");
		const header = new TextEncoder().encode("{}");
		const weights = new Uint8Array([header.length, 0, 0, 0, 0, 0, 0, 0, ...header]);
		async function answer(ms) {
			times = ms;
			const { perSecond } = await measure(weights, false, {}, { onProgress() {}, signal: undefined });
			return Math.round(perSecond);
		}`)
	for _, c := range []struct {
		ms   []float64
		want int
	}{{[]float64{20}, 50}, {[]float64{10, 20, 900}, 50}, {[]float64{0, 0, 0, 0, 100}, 50}} {
		var got *int
		if err := page.Ask(t, c.ms, &got); err != nil || got == nil || *got != c.want {
			t.Errorf("answers of %v ms: %v a second, error %+v; want %d", c.ms, got, err, c.want)
		}
	}
}
