//go:build !js

package page_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// TestLiveLoop classifies a moving picture as a page with a camera does.
func TestLiveLoop(t *testing.T) {
	_, b := newSite(t)
	frames := browsertest.Eval[int](b, `(async () => {
		const engine = await DeepEMD.create();
		const moving = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
		const paint = moving.getContext("2d");
		const stir = () => {
			paint.fillStyle = "hsl(" + 360 * Math.random() + " 70% 50%)";
			paint.fillRect(640 * Math.random(), 480 * Math.random(), 90, 90);
		};
		for (let i = 0; i < 300; i++) stir();
		for (const id of ["a", "b", "c"]) {
			await engine.addClass(id, { id });
			for (let i = 0; i < 5; i++) { stir(); await engine.addExample(id, moving); }
		}
		const stirring = setInterval(stir, 15);
		const video = Object.assign(document.createElement("video"), { muted: true, srcObject: moving.captureStream(30) });
		await video.play();
		const answers = [];
		while (answers.length < 10) answers.push(await engine.classify(video));
		clearInterval(stirring);
		engine.dispose();
		return answers.filter((a) => a.scores.length === 3).length;
	})()`)
	if frames != 10 {
		t.Errorf("%d of 10 answers are of all classes", frames)
	}
	b.NoProblems()
}

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
		const colours = { red: [250, 0, 0], green: [0, 250, 0], blue: [0, 0, 250] };
		const order = [];
		const adding = Object.keys(colours).flatMap((id) => {
			engine.addClass(id, { id });
			return Array.from({ length: 10 }, () => engine.addExample(id, plain(...colours[id])));
		});
		const answers = await Promise.all(Array.from({ length: 30 }, async (_, i) => {
			const answer = await engine.classify(plain(...Object.values(colours)[i % 3]));
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

// TestOtherOrigin: page and engine may have different origins, if the engine's origin allows it.
func TestOtherOrigin(t *testing.T) {
	engineSite := serve(t)
	_, b := newSite(t)
	got := browsertest.Eval[failure](b, `failure((async () => {
		const engine = await taught({ base: "`+engineSite.URL+`/deepemd" });
		return (await engine.classify(canvas)).scores[0].label;
	})())`)
	got.Check(t, "none", "blue")
	b.NoProblems()
}
