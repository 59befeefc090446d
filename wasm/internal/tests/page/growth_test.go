//go:build !js

package page_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestPageGrows: the page computes the same learning curve as native code while it answers, and can
// cancel it.
func TestPageGrows(t *testing.T) {
	s, b := newSite(t)
	native := require.Value(learner.OpenWith(s.SmallWeights, learner.Options{Kit: learner.CommonParts()}))(t)
	pictures := ""
	for i := range 10 {
		file := pngFile(t, texture(i))
		pictures += fmt.Sprintf("%q,", base64.StdEncoding.EncodeToString(file))
		require.NoError(t, native.Add(fmt.Sprint(i%2), learner.Picture{Data: file}))
	}
	want := require.Value(native.Model().LearningCurve(context.Background(), nil))(t)

	got := browsertest.Eval[struct {
		Growth   answer.Curve
		Progress []struct{ Done, Total int }
		Between  int
		Aborted  string
	}](b, fmt.Sprintf(`(async () => {
		const files = [%s].map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
		const engine = await DeepEMD.create({ weights: small });
		const ids = [await engine.addClass("0"), await engine.addClass("1")];
		for (const [i, file] of files.entries()) await engine.addExample(ids[i %% 2], file);
		const stop = new AbortController();
		let aborted;
		const off = engine.growth({ signal: stop.signal, onProgress: () => stop.abort() }).catch((error) => { aborted = error.name; });
		await off;
		let over = false, between = 0;
		const progress = [];
		const all = engine.growth({ onProgress: ({ done, total }) => progress.push({ done, total }) }).finally(() => { over = true; });
		while (!over) {
			await engine.classify(files[0]);
			between++;
		}
		const growth = await all;
		for (const c of growth.classes) c.id = String(ids.indexOf(c.id));
		engine.dispose();
		return { growth, progress, between, aborted };
	})()`, pictures))
	if got.Aborted != "AbortError" || got.Between == 0 {
		t.Errorf("called off with %q; %d answers came meanwhile", got.Aborted, got.Between)
	}
	if len(got.Growth.Points) != len(want.Points) || len(got.Growth.Classes) != len(want.Classes) {
		t.Fatalf("growth %+v, natively %+v", got.Growth, want)
	}
	for i, c := range want.Classes {
		if got.Growth.Classes[i].Label != c.Label {
			t.Errorf("class %d is %q, natively %q", i, got.Growth.Classes[i].Label, c.Label)
		}
	}
	for i, p := range want.Points {
		if q := got.Growth.Points[i]; q.Examples != p.Examples || math.Abs(q.Right-p.Right) > 1e-9 || math.Abs(q.Spread-p.Spread) > 1e-9 {
			t.Errorf("point %+v, natively %+v", q, p)
		}
	}
	for i, n := 0, len(got.Progress); i < n; i++ {
		if p := got.Progress[i]; p.Total != want.Total || i == n-1 && p.Done != p.Total || i > 0 && p.Done < got.Progress[i-1].Done {
			t.Errorf("progress %+v of %d", p, want.Total)
		}
	}
	b.NoProblems()
}
