//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// TestManyCallsAtOnce: callers need not wait for one call before the next, and
// answers come in order.
func TestManyCallsAtOnce(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Labels   []string
		Examples []int
		Order    []int
	}](b, `(async () => {
		const engine = await DeepEMD.create({ weights: small });
		const colors = { red: [250, 0, 0], green: [0, 250, 0], blue: [0, 0, 250] };
		const order = [];
		const adding = Object.keys(colors).flatMap((id) => {
			engine.addClass(id, { id });
			return Array.from({ length: 10 }, () => engine.addExample(id, plain(...colors[id])));
		});
		const answers = await Promise.all(Array.from({ length: 30 }, async (_, i) => {
			const answer = await engine.classify(plain(...Object.values(colors)[i % 3]));
			order.push(i);
			return answer.scores[0].label;
		}));
		await Promise.all(adding);
		return { labels: answers.slice(0, 3), examples: engine.classes.map((c) => c.examples.length), order };
	})()`)
	if len(got.Labels) != 3 || got.Labels[0] != "red" || got.Labels[1] != "green" || got.Labels[2] != "blue" {
		t.Errorf("labels %q", got.Labels)
	}
	for _, n := range got.Examples {
		if n != 10 {
			t.Errorf("examples %v, want ten each", got.Examples)
		}
	}
	for i, at := range got.Order {
		if i != at {
			t.Fatalf("answers came in the order %v", got.Order)
		}
	}
}
