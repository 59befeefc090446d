//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestElementLeaves checks that a removed element starts no engine for the changes that were queued, until it is back.
func TestElementLeaves(t *testing.T) {
	page := nodetest.Start(t, `
		const { install } = await import(ROOT + "wasm/npm/platform.js");
		let started = 0;
		install({ locate: (address) => new URL(address), remedies: {}, startWorker: () => (started++, { terminate() {}, postMessage() {} }) });
		const { Keeper } = await import(ROOT + "wasm/npm/element-engine.js");
		const nothing = () => {};
		async function answer() {
			const settings = { options: () => ({}), get: nothing };
			const keeper = new Keeper({ settings, content: {}, rows: {} }, { begin: nothing, rest: nothing, report: nothing });
			keeper.engine().catch(nothing);
			await new Promise((resolve) => setTimeout(resolve, 10));
			keeper.turn(async () => {});
			keeper.turn(async () => {});
			keeper.leave();
			await new Promise((resolve) => setTimeout(resolve, 10));
			const gone = { started, open: keeper.open };
			keeper.engine().catch(nothing);
			await new Promise((resolve) => setTimeout(resolve, 10));
			return { ...gone, back: started };
		}`)
	var got struct {
		Started, Back int
		Open          bool
	}
	if err := page.Ask(t, struct{}{}, &got); err != nil || got.Started != 1 || got.Back != 2 || got.Open {
		t.Errorf("%+v, error %+v; want one engine, none, and another", got, err)
	}
}
