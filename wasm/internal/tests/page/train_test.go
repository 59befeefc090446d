//go:build !js

package page_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestPageTrains: the page learns the same as native code while it answers, and can be stopped.
func TestPageTrains(t *testing.T) {
	const tolerance = 5e-3 // learning amplifies the rounding of kernels
	s, b := newSite(t)
	native, err := learner.OpenWith(s.SmallWeights, learner.Options{Kit: learner.CommonParts()})
	require.NoError(t, err)
	const passes = 1000 // enough to classify pictures during training
	pictures := ""
	for i := range 8 {
		pictures += fmt.Sprintf("%q,", base64.StdEncoding.EncodeToString(pngFile(t, texture(i))))
	}
	for i := range 3 {
		require.NoError(t, native.AddClass(fmt.Sprint(i), ""))
	}
	for i := range 7 {
		require.Value(native.AddExample(fmt.Sprint(i%3), fmt.Sprint(i), learner.Picture{Data: pngFile(t, texture(i))}))(t)
	}
	_, gain, err := native.Model().Refine(context.Background(), learner.Training{Passes: 20, Check: true}, nil)
	require.NoError(t, err)
	var want learner.Trained
	refined, _, err := native.Model().Refine(context.Background(), learner.Training{Passes: passes}, func(now learner.Trained) error {
		want = now
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, native.Publish(refined))
	query := learner.Picture{Data: pngFile(t, texture(7))}
	said, err := native.Model().Classify(query)
	require.NoError(t, err)

	got := browsertest.Eval[struct {
		Training struct {
			Passes int
			Ms     float64
		}
		HeldOut                 struct{ Of, Before, After int }
		Checked                 bool
		Progress                []struct{ Done, Total int }
		Plain, Meanwhile, After []answer.Score
		Answered                int
		Learned, Then           bool
		Aborted, Twice          failure
		Kept                    []answer.Score
		Changed, Ended, One     failure
	}](b, `(async () => {
		const pictures = [`+pictures+`].map((text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
		const engine = await DeepEMD.create({ weights: small });
		const ask = async () => (await engine.classify(pictures[7])).scores;
		for (const id of ["0", "1", "2"]) await engine.addClass(id, { id });
		await engine.addExample("0", pictures[0]);
		const one = await failure(engine.train());
		for (const [i, picture] of pictures.slice(0, 7).entries()) if (i > 0) await engine.addExample(String(i % 3), picture);
		const plain = await ask();

		const { heldOut } = await engine.train({ passes: 20 });
		const checked = engine.learned;

		const progress = [];
		let running = true, answered = 0, meanwhile;
		const learning = engine.train({ passes: `+strconv.Itoa(passes)+`, check: false, onProgress: (p) => progress.push(p) }).finally(() => (running = false));
		const twice = await failure(engine.train());
		while (running) {
			const scores = await ask();
			if (running) answered++, (meanwhile ??= scores);
		}
		const training = await learning;
		const learned = engine.learned, after = await ask();

		const stop = new AbortController();
		const aborted = await failure(engine.train({ passes: 10000, signal: stop.signal, onProgress: ({ done }) => done > 1 && stop.abort(new Error("enough")) }));
		await engine.addExample("1", pictures[7], { id: "new" });
		await engine.removeExample("new");
		const then = engine.learned, kept = await ask();
		const long = failure(engine.train({ passes: 10000 }));
		await engine.addExample("1", pictures[7]);
		const changed = await long, ended = failure(engine.train({ passes: 10000, onProgress: () => engine.dispose() }));
		return { training, heldOut, checked, progress, plain, meanwhile, after, answered, learned, then, aborted, twice, kept, changed, ended: await ended, one };
	})()`)

	if got.HeldOut != (struct{ Of, Before, After int }(gain)) || got.Checked == gain.Useless() {
		t.Errorf("check %+v, natively %+v; learned: %v", got.HeldOut, gain, got.Checked)
	}
	if got.Training.Passes != passes || !(got.Training.Ms > 0) {
		t.Errorf("training %+v", got.Training)
	}
	if n := len(got.Progress); n < 2 || got.Progress[0].Done != 0 || got.Progress[n-1].Done != want.Total || got.Progress[n-1].Total != want.Total {
		t.Errorf("progress %v, want 0 to %d", got.Progress, want.Total)
	}
	if got.Answered == 0 {
		t.Error("no picture was classified while the page learned")
	}
	same := func(name string, a, b []answer.Score) {
		t.Helper()
		worst := math.Inf(1)
		if len(a) == len(b) && len(a) > 0 {
			worst = 0
			for i := range a {
				worst = max(worst, math.Abs(a[i].Logit-b[i].Logit))
			}
		}
		if !(worst <= tolerance) {
			t.Errorf("%s: logits differ by %g, want at most %g: %+v, %+v", name, worst, tolerance, a, b)
		}
	}
	same("learned, page and native", got.After, said.Scores)
	same("before and meanwhile", got.Meanwhile, got.Plain)
	same("before, and after changes", got.Kept, got.Plain)
	if slices.Equal(got.After, got.Plain) {
		t.Error("learning changed nothing")
	}
	if !got.Learned || got.Then {
		t.Errorf("learned: %v, after a change %v", got.Learned, got.Then)
	}
	got.Aborted.Check(t, "not a DeepEMDError", "enough") // the reason that the page gave
	got.Twice.Check(t, "bad-argument", "being learned")
	got.Changed.Check(t, "changed", "train again")
	got.Ended.Check(t, "disposed", "disposed of")
	got.One.Check(t, "empty", "second")
	b.NoProblems()
}
