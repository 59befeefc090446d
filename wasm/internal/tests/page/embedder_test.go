//go:build !js

package page_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestEmbeddersInThePage: with every embedder the page gives the results of native code, on any
// number of workers (a single one encodes crops in batches, with other rounding), and identical
// results after a crash.
func TestEmbeddersInThePage(t *testing.T) {
	s, b := newSite(t)
	encoded := "["
	for i := range 3 {
		encoded += fmt.Sprintf("%q,", base64.StdEncoding.EncodeToString(pngFile(t, texture(i))))
	}
	encoded += "]"
	type answered struct {
		Info struct{ Nodes, Crops, Workers int }
		Seen struct {
			Width int
			Data  string
		}
		Scores, Again []answer.Score
	}
	for _, c := range []struct {
		embedder string
		choice   method.Embedder
		crops    int
	}{
		{`{ kind: "fcn", pyramid: [2, 1] }`, method.Embedder{Pyramid: []int{2, 1}}, 1},
		{`{ kind: "grid" }`, method.Embedder{Kind: "grid"}, 13},
		{`{ kind: "grid", grid: [1, 2], ratio: 1.5 }`, method.Embedder{Kind: "grid", Grid: []int{1, 2}, Ratio: 1.5}, 5},
		{`{ kind: "sampling", patches: 5, seed: 12345678901234 }`, method.Embedder{Kind: "sampling", Patches: 5, Seed: 12345678901234}, 5},
	} {
		t.Run(c.embedder, func(t *testing.T) {
			native := taughtNatively(t, s.SmallWeights, c.choice)
			want := require.Value(native.Model().Classify(learner.Picture{Data: pngFile(t, texture(2))}))(t)
			var first []answer.Score
			for _, workers := range []int{1, 3} {
				got := browsertest.Eval[answered](b, fmt.Sprintf(`(async () => {
					const blobs = %s.map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
					const engine = await DeepEMD.create({ weights: small, embedder: %s, workers: %d });
					for (const [i, id] of ["a", "b"].entries()) await engine.addExample(await engine.addClass(id, { id }), blobs[i], { id });
					const answer = await engine.classify(blobs[2], { pixels: true });
					const { width, data } = answer.pixels;
					const restarted = next(engine, "restart");
					await failure(engine[crash]("panic"));
					await restarted;
					const again = await engine.classify(blobs[2]);
					engine.dispose();
					return { info: engine.info, scores: answer.scores, again: again.scores,
						seen: { width, data: btoa(data.reduce((text, v) => text + String.fromCharCode(v), "")) } };
				})()`, encoded, c.embedder, workers))
				if got.Info.Crops != c.crops || got.Info.Workers != min(workers, c.crops) || got.Info.Nodes != native.Info().Nodes {
					t.Errorf("%d workers: info %+v", workers, got.Info)
				}
				if got.Seen.Width != want.Seen.Width || got.Seen.Data != base64.StdEncoding.EncodeToString(want.Seen.Pix) {
					t.Errorf("%d workers: other pixels in the page", workers)
				}
				for i, w := range want.Scores {
					if g := got.Scores[i]; g.ID != w.ID || math.Abs(g.Logit-w.Logit) > 1e-3 {
						t.Errorf("%d workers: place %d is %+v in the page, %+v natively", workers, i, g, w)
					}
				}
				if !slices.Equal(got.Again, got.Scores) {
					t.Errorf("%d workers: %v after the restart, %v before", workers, got.Again, got.Scores)
				}
				if first == nil {
					first = got.Scores
				}
				for i, s := range first {
					if g := got.Scores[i]; g.ID != s.ID || math.Abs(g.Logit-s.Logit) > 1e-5 {
						t.Errorf("%d workers: place %d is %+v, with one worker %+v", workers, i, g, s)
					}
				}
			}
		})
	}
	b.NoProblems()
}

// TestHelpersThatFail: crops of a helper that dies are encoded by the others; where
// there can be none, the engine does without.
func TestHelpersThatFail(t *testing.T) {
	_, b := newSite(t)
	for base, workers := range map[string]int{"/deepemd": 4, "/dying": 4, "/alone": 1} {
		got := browsertest.Eval[struct {
			Workers int
			Labels  []string
		}](b, fmt.Sprintf(`(async () => {
			const engine = await taught({ base: %q, workers: 4, embedder: { kind: "grid", grid: [3] } });
			const labels = [];
			for (const color of [[230, 10, 10], [10, 230, 10], [10, 10, 230]]) labels.push((await engine.classify(plain(...color))).scores[0].label);
			engine.dispose();
			return { workers: engine.info.workers, labels };
		})()`, base))
		if got.Workers != workers || !slices.Equal(got.Labels, []string{"red", "green", "blue"}) {
			t.Errorf("%s: %d workers, want %d, answer %v", base, got.Workers, workers, got.Labels)
		}
	}
}

// TestPoolOfOtherOrigin: helpers start even if the engine is on another origin.
func TestPoolOfOtherOrigin(t *testing.T) {
	elsewhere := serve(t)
	_, b := newSite(t)
	got := browsertest.Eval[failure](b, `failure((async () => {
		const engine = await taught({ base: "`+elsewhere.URL+`/deepemd", embedder: { kind: "sampling" }, workers: 2 });
		return engine.info.workers + (await engine.classify(canvas)).scores[0].label;
	})())`)
	got.Check(t, "none", "2blue")
	b.NoProblems()
}
