//go:build !js

package page_test

import (
	"encoding/base64"
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// pageNode and pageExplanation are a node and an explanation as pages read them.
type pageNode struct{ X0, Y0, X1, Y1, Weight float64 }

type pageExplanation struct {
	ClassID, Label string
	ExampleID      string
	Size           int
	Score, Total   float64
	Temperature    float64
	Query, Support []pageNode
	Similarity     []float64
	Flow           []struct {
		From, To                  int
		Amount, Similarity, Score float64
	}
	Head []answer.Shares
}

// plainExplanation is a JavaScript function that converts the result of explain.
const plainExplanation = `const plainly = ({ example, similarity, ...rest }) =>
	({ ...rest, exampleId: example.id, size: example.size, similarity: Array.from(similarity) });`

// check fails the test unless the page's explanation is the native one.
func (got pageExplanation) check(t *testing.T, want *answer.Explanation) {
	t.Helper()
	if got.ClassID != want.ClassID || got.Label != want.Label || got.ExampleID != want.ExampleID {
		t.Errorf("explains %q (%s) by %q, want %q (%s) by %q", got.ClassID, got.Label, got.ExampleID, want.ClassID, want.Label, want.ExampleID)
	}
	apart := func(what string, a, b float64) {
		t.Helper()
		if !(math.Abs(a-b) <= 2e-4) {
			t.Errorf("%s: %v, natively %v", what, a, b)
		}
	}
	apart("score", got.Score, want.Score)
	apart("total", got.Total, want.Total)
	apart("temperature", got.Temperature, want.Temperature)
	for _, side := range []struct {
		name string
		got  []pageNode
		want answer.Side
	}{{"query", got.Query, want.From}, {"support", got.Support, want.To}} {
		if len(side.got) != side.want.N() {
			t.Fatalf("%s: %d nodes, natively %d", side.name, len(side.got), side.want.N())
		}
		for i, n := range side.got {
			r := side.want[i].Region
			if r != (embed.Region{X0: float32(n.X0), Y0: float32(n.Y0), X1: float32(n.X1), Y1: float32(n.Y1)}) {
				t.Errorf("%s node %d lies at %+v, natively at %+v", side.name, i, n, r)
			}
			apart(fmt.Sprintf("weight of %s node %d", side.name, i), n.Weight, side.want[i].Weight)
		}
	}
	for k, s := range want.Similarity {
		apart(fmt.Sprintf("similarity %d", k), got.Similarity[k], s)
	}
	if len(got.Head) != len(want.Head) {
		t.Fatalf("shares of the head %+v, natively %+v", got.Head, want.Head)
	}
	for i, s := range want.Head {
		if got.Head[i].ClassID != s.ClassID || got.Head[i].Label != s.Label {
			t.Errorf("shares %+v, natively %+v", got.Head[i], s)
		}
		apart("share of the match with "+s.Label, got.Head[i].Match, s.Match)
		apart("share of the head for "+s.Label, got.Head[i].Head, s.Head)
	}
	// Equally good flows may differ, but not their sums.
	var score, amount, collected float64
	sent := make([]float64, len(got.Query))
	for k, l := range got.Flow {
		score, amount = score+l.Score, amount+l.Amount
		sent[l.From] += l.Amount
		collected += want.Similarity[l.From*want.To.N()+l.To] * l.Amount
		if k > 0 && l.Amount > got.Flow[k-1].Amount {
			t.Errorf("link %d carries more than the one before", k)
		}
	}
	apart("score of the links", score, want.Score)
	apart("score of the flow natively", want.Temperature/want.Total*collected, want.Score)
	apart("amount of the links", amount, want.Total)
	for i, s := range sent {
		apart(fmt.Sprintf("what node %d sends", i), s, want.From[i].Weight)
	}
}

// TestExplanationsInThePage: by any embedder, and with crops encoded elsewhere, the
// page explains as native code does.
func TestExplanationsInThePage(t *testing.T) {
	s, b := newSite(t)
	pictures := "["
	for i := range 3 {
		pictures += fmt.Sprintf("%q,", base64.StdEncoding.EncodeToString(pngFile(t, texture(i))))
	}
	pictures += "]"
	for _, c := range []struct {
		options string
		choice  method.Embedder
	}{
		{`{}`, method.Embedder{}},
		{`{ pyramid: [2, 1] }`, method.Embedder{Pyramid: []int{2, 1}}},
		{`{ embedder: { kind: "grid" } }`, method.Embedder{Kind: "grid"}},
		{`{ embedder: { kind: "grid" }, workers: 3 }`, method.Embedder{Kind: "grid"}},
		{`{ embedder: { kind: "sampling", patches: 5 } }`, method.Embedder{Kind: "sampling", Patches: 5}},
	} {
		t.Run(c.options, func(t *testing.T) {
			native := taughtNatively(t, s.SmallWeights, c.choice)
			mixture := native.Method()
			mixture.Classifier = method.Mixture
			require.NoError(t, native.Configure(mixture, learner.Tuning{}))
			latest := require.Value(native.Model().Classify(learner.Picture{Data: pngFile(t, texture(2))}))(t)
			got := browsertest.Eval[struct {
				Live, Latest, Other, Seen, Headed pageExplanation
				Before, Nobody                    failure
			}](b, fmt.Sprintf(`(async () => {
				%s
				const blobs = %s.map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
				const engine = await DeepEMD.create({ weights: small, classifier: "mixture", ...%s });
				for (const [i, id] of ["a", "b"].entries()) await engine.addExample(await engine.addClass(id, { id }), blobs[i], { id });
				const before = await failure(engine.explain());
				const { explanation: live, pixels } = await engine.classify(blobs[2], { explain: true, pixels: true });
				const latest = await engine.explain();
				const other = await engine.explain({ classId: live.classId === "a" ? "b" : "a" });
				const seen = await engine.explain({ source: pixels });
				await engine.addExample("a", blobs[2], { id: "c" });
				const { explanation: headed } = await engine.classify(blobs[1], { explain: "b" });
				const nobody = await failure(engine.explain({ classId: "x" }));
				engine.dispose();
				return { live: plainly(live), latest: plainly(latest), other: plainly(other), seen: plainly(seen), headed: plainly(headed), before, nobody };
			})()`, plainExplanation, pictures, c.options))
			want := require.Value(native.Model().Explain(latest, ""))(t)
			got.Live.check(t, want)
			got.Latest.check(t, want)
			got.Seen.check(t, want)
			loser := map[string]string{"a": "b", "b": "a"}[want.ClassID]
			want = require.Value(native.Model().Explain(latest, loser))(t)
			got.Other.check(t, want)
			require.Value(native.AddExample("a", "c", learner.Picture{Data: pngFile(t, texture(2))}))(t)
			latest = require.Value(native.Model().Classify(learner.Picture{Data: pngFile(t, texture(1))}))(t)
			want = require.Value(native.Model().Explain(latest, "b"))(t)
			if len(want.Head) != 2 {
				t.Errorf("of a class of two and one of one example the head says %+v", want.Head)
			}
			got.Headed.check(t, want)
			got.Before.Check(t, "empty", "classify")
			got.Nobody.Check(t, "unknown-class", "x")
		})
	}
	b.NoProblems()
}
