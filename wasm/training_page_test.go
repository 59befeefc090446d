//go:build !js

package wasm_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestLearned removes an example at different times of a training: if the reply of train is on its way, the engine no longer
// answers by it.
func TestLearned(t *testing.T) {
	page := nodetest.Start(t, `
		const { Supervisor } = await import(ROOT + "wasm/npm/supervisor.js");
		const { train } = await import(ROOT + "wasm/npm/train.js");
		async function answer(when) {
			const at = (now) => now === when && engine.forget();
			class Engine extends Supervisor {
				async link() {
					return { request: async () => (await null, at("replied"), { of: 0 }) };
				}
				uses() {
					return true;
				}
			}
			const engine = new Engine({ features: {} }, () => {}, () => {});
			const training = train(engine, {});
			at("not sent");
			await training;
			at("over");
			return engine.learned;
		}`)
	for when, want := range map[string]bool{"never": true, "not sent": true, "replied": false, "over": false} {
		var got bool
		if err := page.Ask(t, when, &got); err != nil || got != want {
			t.Errorf("an example is removed, %s: learned %v, want %v; error %+v", when, got, want, err)
		}
	}
}
