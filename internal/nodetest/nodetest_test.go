package nodetest_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

func TestAsk(t *testing.T) {
	p := nodetest.Start(t, `
		const [least] = process.argv.slice(-1);
		const { DeepEMDError } = await import(ROOT + "wasm/npm/error.js");
		let asked = 0;
		async function answer({ n }) {
			if (n < Number(least)) throw new DeepEMDError("empty", "less than " + least);
			return n + asked++;
		}`, "3")
	var got int
	for i := range 3 {
		if err := p.Ask(t, map[string]int{"n": 10}, &got); err != nil || got != 10+i {
			t.Errorf("%d, %v; want %d", got, err, 10+i)
		}
	}
	if err := p.Ask(t, map[string]int{"n": 2}, &got); err == nil || err.Code != "empty" || err.Message != "less than 3" {
		t.Errorf("error %+v", err)
	}
	p.Restart()
	if err := p.Ask(t, map[string]int{"n": 10}, &got); err != nil || got != 10 {
		t.Errorf("begun again: %d, %v", got, err)
	}
}
