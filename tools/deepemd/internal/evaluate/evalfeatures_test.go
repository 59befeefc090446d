package evaluate

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/convert" // the verb features
)

// TestEvalFeatures: stored features give the logits that their pictures give, of
// episodes that are drawn and of listed ones.
func TestEvalFeatures(t *testing.T) {
	dir, in, out := cmdtest.Pictures(t, 6), cmdtest.Weights(t, nil), t.TempDir()
	f, split := filepath.Join(out, "f.npy"), filepath.Join(out, "split.json")
	cmdtest.WriteText(t, split, `{"train": ["along"], "test": ["chess", "across"]}`)
	episodes := filepath.Join(out, "episodes.json")
	cmdtest.WriteText(t, episodes, `{"episodes_1shot": [{"support": ["else/across/0.webp", "chess/0.png"], "query": ["across/1.png", "chess/1.png"]}]}`)
	require.Value(cmdtest.Run("features", "--data", dir, "--split", split, "--weights", in, "--out", f))(t)
	drawn := []string{"--way", "2", "--shot", "2", "--query", "3", "--episodes", "7", "--seed", "3"}
	for name, c := range map[string]struct{ pictures, features []string }{
		"drawn":            {append(drawn, "--split", split), drawn},
		"drawn of a split": {append(drawn, "--split", split), append(drawn, "--split", split)},
		"listed":           {[]string{"--episodes", episodes}, []string{"--episodes", episodes}},
	} {
		l, m := filepath.Join(out, "l.npy"), filepath.Join(out, "m.npy")
		require.Value(cmdtest.Run(append(slices.Concat([]string{"eval", "--data", dir, "--weights", in, "--logits", l}), c.pictures...)...))(t)
		printed, err := cmdtest.Run(append([]string{"eval", "--features", f, "--logits", m}, c.features...)...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if cmdtest.ReadText(t, l) != cmdtest.ReadText(t, m) {
			t.Errorf("%s: features give other logits than their pictures", name)
		}
		if !strings.Contains(printed, "features of f.npy, prototype") {
			t.Errorf("%s: printed %q", name, printed)
		}
	}
	stdout := require.Value(cmdtest.Run(append([]string{"eval", "--features", f, "--json"}, drawn...)...))(t)
	var e evaluation
	if err := json.Unmarshal([]byte(stdout), &e); err != nil || e.Features != "f.npy" || e.Network != "random" || e.Size != 32 || e.Data != filepath.Base(dir) {
		t.Errorf("%s, %v", stdout, err)
	}
}

// TestEvalFeaturesOfOthers: an array with no more than names and classes beside it.
func TestEvalFeaturesOfOthers(t *testing.T) {
	f := filepath.Join(t.TempDir(), "f.npy")
	features := tensor.New(6, 2, 3)
	for i := range 6 { // two classes, told apart by which channel stands out
		for node := range 2 {
			features.Row(i)[3*node+i%2] = float32(1 + i + node)
		}
	}
	cmdtest.WriteNPY(t, f, features)
	args := []string{"eval", "--features", f, "--way", "2", "--query", "2", "--episodes", "4"}
	lists := map[string]string{
		`{"names": ["a"], "classes": ["x"]}`:                                                   "does the list belong to it?",
		`{"names": ["a", "b", "c", "d", "e", "f"]}`:                                            "no classes",
		`{"names": ["a", "a", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", "y"]}`: "a is named twice",
		`["a"]`: "not a list of pictures",
		``:      "not a list of pictures",
		`{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", ""]}`: "without a name or a class",
	}
	if _, err := cmdtest.Run(args...); err == nil || !strings.Contains(err.Error(), `it says what the rows of`) {
		t.Errorf("no list: error %v", err)
	}
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		cmdtest.WriteText(t, arrays.ListPath(f), list)
		if _, err := cmdtest.Run(args...); err == nil || !strings.Contains(err.Error(), lists[list]) {
			t.Errorf("%s: error %v, want one that says %q", list, err, lists[list])
		}
	}
	cmdtest.WriteText(t, arrays.ListPath(f), `{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", "y"], "note": "made elsewhere"}`)
	printed, err := cmdtest.Run(args...)
	if err != nil || !strings.Contains(printed, "100.00% ± 0.00%  2-way 1-shot") {
		t.Errorf("printed %q, %v", printed, err)
	}
	for flag, value := range map[string]string{"data": "d", "weights": "w", "size": "32", "disturb": "all", "pyramid": "2"} {
		if _, err := cmdtest.Run(append(args, "--"+flag, value)...); err == nil || !strings.Contains(err.Error(), "--"+flag+" does not go with --features") {
			t.Errorf("--%s: error %v", flag, err)
		}
	}
	cmdtest.WriteNPY(t, f, tensor.New(6, 3))
	if _, err := cmdtest.Run(args...); err == nil || !strings.Contains(err.Error(), "want [pictures nodes channels]") {
		t.Errorf("two axes: error %v", err)
	}
}
