//go:build !js

package page_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestNetworkOfBytes: a network with 8-bit weights answers in a page as natively, with all kernels.
func TestNetworkOfBytes(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, networktest.Transformer().Quantized().Encode(&file, weights.W8))
	const side = 84
	pattern := func(seed int) learner.Picture {
		p := learner.Picture{Width: side, Height: side, Data: make([]byte, side*side*3)}
		for i := range p.Data {
			p.Data[i] = byte(i*seed + i/(side*seed)*31)
		}
		return p
	}
	native := require.Value(learner.OpenWith(file.Bytes(), learner.Options{Method: method.Method{Balance: true}.Complete()}))(t)
	for seed, id := range []string{"a", "b", "c"} {
		require.NoError(t, native.AddClass(id, id))
		require.Value(native.AddExample(id, id, pattern(seed+1)))(t)
	}
	want := require.Value(native.Model().Classify(pattern(5)))(t)

	_, b := newSite(t)
	got := browsertest.Eval[[]answer.Score](b, fmt.Sprintf(`(async () => {
		const side = %d, weights = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0));
		const pattern = (seed) => {
			const data = new Uint8Array(side * side * 3);
			for (let i = 0; i < data.length; i++) data[i] = i * seed + Math.floor(i / (side * seed)) * 31;
			return { width: side, height: side, data };
		};
		const engine = await DeepEMD.create({ weights });
		for (const [seed, id] of ["a", "b", "c"].entries()) await engine.addExample(await engine.addClass(id, { id }), pattern(seed + 1));
		const { scores } = await engine.classify(pattern(5));
		engine.dispose();
		return scores;
	})()`, side, base64.StdEncoding.EncodeToString(file.Bytes())))
	if len(got) != len(want.Scores) {
		t.Fatalf("%d classes, want %d", len(got), len(want.Scores))
	}
	for i, w := range want.Scores {
		// A last bit may become a step of an activation.
		if g := got[i]; g.ID != w.ID || math.Abs(g.Logit-w.Logit) > 0.05 {
			t.Errorf("place %d: %s %v, want %s %v", i, g.ID, g.Logit, w.ID, w.Logit)
		}
	}
	t.Logf("scores %v, natively %v", got, want.Scores)
	b.NoProblems()
}
