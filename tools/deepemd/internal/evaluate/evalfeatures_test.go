package evaluate

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/convert"
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
	for _, taken := range []string{f, split, in} { // the next evaluation shows that f stays
		cmdtest.Fails(t, taken+": the output would overwrite", append([]string{"eval", "--features", f, "--logits", taken}, drawn...)...)
	}
	ranks := [2][]string{} // the second rank does not write the logits
	for i, folder := range []string{out, filepath.Join(out, "absent")} {
		ranks[i] = append([]string{"eval", "--features", f, "--logits", filepath.Join(folder, "m.npy")}, drawn...)
	}
	require.Value(cmdtest.Ranks(ranks[:]...))(t)
	e := cmdtest.JSON[evaluation](t, append([]string{"eval", "--features", f, "--json"}, drawn...)...)
	if e.Features != "f.npy" || e.Network != "random" || e.Size != 32 || e.Data != filepath.Base(dir) {
		t.Errorf("%+v", e)
	}
	// The listed names of another copy are found in every array.
	e = cmdtest.JSON[evaluation](t, "eval", "--features", f, "--episodes", episodes, "--rival", f, "--json")
	if len(e.Rivals) != 1 || e.Rivals[0].SameClass[0] != 1 {
		t.Errorf("the same features as rivals: %+v", e.Rivals)
	}
}

// TestEvalFeaturesOfOthers: the list of an array needs only names and classes.
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
		`["a"]`: "not a list of images",
		``:      "not a list of images",
		`{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", ""]}`: "without a name or a class",
	}
	cmdtest.Fails(t, `it must list the rows of`, args...)
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		cmdtest.WriteText(t, arrays.ListPath(f), list)
		if _, err := cmdtest.Run(args...); err == nil || !strings.Contains(err.Error(), lists[list]) {
			t.Errorf("%s: error %v, want one that says %q", list, err, lists[list])
		}
	}
	cmdtest.WriteText(t, arrays.ListPath(f), `{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", "y"], "note": "made elsewhere"}`)
	cmdtest.Prints(t, "100.00% ± 0.00%  2-way 1-shot", args...)
	for flag, value := range map[string]string{"data": "d", "weights": "w", "size": "32", "disturb": "all", "pyramid": "2"} {
		cmdtest.Fails(t, "--"+flag+" cannot be combined with --features", append(args, "--"+flag, value)...)
	}
	cmdtest.WriteNPY(t, f, tensor.New(6, 3))
	cmdtest.Fails(t, "want [images nodes channels]", args...)
}

// Rivals are measured on the same episodes: an array equals itself, and the difference of other
// features equals the difference of separate measurements.
func TestRivals(t *testing.T) {
	dir, in, out := cmdtest.Pictures(t, 6), cmdtest.Weights(t, nil), t.TempDir()
	at := func(name string) string { return filepath.Join(out, name+".npy") }
	for name, flags := range map[string][]string{
		"plain": nil, "mirror": {"--mirror"}, "crops": {"--embedder", "sampling", "--patches", "3"},
		"few": {"--each", "4", "--seed", "2"},
	} {
		args := append([]string{"features", "--data", dir, "--weights", in, "--size", "32", "--out", at(name)}, flags...)
		if printed, err := cmdtest.Run(args...); err != nil {
			t.Fatalf("%s: %v, %s", name, err, printed)
		}
	}
	eval := func(features string, more ...string) evaluation {
		t.Helper()
		args := []string{"eval", "--features", at(features), "--way", "3", "--query", "3", "--episodes", "8", "--classifier", "prototype,cosine", "--json"}
		return cmdtest.JSON[evaluation](t, append(args, more...)...)
	}
	e := eval("plain", "--rival", at("plain")+","+at("mirror"), "--rival", at("crops"))
	if len(e.Rivals) != 3 {
		t.Fatalf("%+v", e.Rivals)
	}
	if own := e.Rivals[0].Classifiers; own[0].Difference != 0 || own[1].Difference != 0 || own[1].Accuracy != e.Classifiers[1].Accuracy {
		t.Errorf("an array differs from itself: %+v", own)
	}
	if same, other := e.Rivals[0].SameClass, e.Rivals[1].SameClass; same[0] != 1 || same[1] != 1 || !(other[0] > 0 && other[0] < 1) {
		t.Errorf("the same class in %v of the answers with the same features, in %v with others", same, other)
	}
	alone := eval("mirror")
	for i, m := range e.Rivals[1].Classifiers {
		if want := alone.Classifiers[i].Accuracy; m.Accuracy != want || !(math.Abs(m.Difference-(want-e.Classifiers[i].Accuracy)) <= 1e-9) {
			t.Errorf("%s: %+v, alone %g", m.Name, m, want)
		}
	}
	if crops := e.Rivals[2]; crops.Features != "crops.npy" || crops.Nodes != 3 {
		t.Errorf("crops: %+v", crops)
	}
	table, err := cmdtest.Run("eval", "--features", at("plain"), "--way", "3", "--query", "3", "--episodes", "2", "--rival", at("mirror"))
	if err != nil || !strings.Contains(table, "to plain.npy") || !strings.Contains(table, "same class") || !strings.Contains(table, "mirror.npy  ") {
		t.Errorf("printed %s, %v", table, err)
	}
	for want, args := range map[string][]string{
		"--rival requires --features":        {"--data", dir, "--rival", at("plain")},
		"extract both from the same images":  {"--features", at("plain"), "--rival", at("few")},
		"gone.npy":                           {"--features", at("plain"), "--rival", at("gone")},
		"--rival requires --features and ex": {"--features", at("plain"), "--unknown", "--rival", at("mirror")},
	} {
		cmdtest.Fails(t, want, append([]string{"eval", "--way", "2", "--query", "3", "--episodes", "9"}, args...)...)
	}
	for want, flags := range map[string][]string{
		"--mirror requires --embedder fcn": {"--mirror", "--embedder", "grid"},
		"--each 7: class":                  {"--each", "7"},
		"--each -1: want":                  {"--each", "-1"},
	} {
		args := append([]string{"features", "--data", dir, "--weights", in, "--out", at("other")}, flags...)
		cmdtest.Fails(t, want, args...)
	}
}

// TestEvalUnknown: distinct classes are separated from unknown ones. Errors of invalid flags
// include the remedy.
func TestEvalUnknown(t *testing.T) {
	const classes, each = 4, 6
	f := channelFeatures(t, classes, each, func(int) float32 { return 4 })
	args := []string{"eval", "--features", f, "--way", "2", "--shot", "3", "--query", "3", "--episodes", "8", "--unknown"}

	e := cmdtest.JSON[openEvaluation](t, append(args, "--json")...)
	if e.Episodes != 8 || e.Known != 6 || e.Unknown != 6 || len(e.Candidates) == 0 || e.Candidates[0].Name != "calibrated" {
		t.Errorf("%+v", e)
	}
	if e.Candidates[0].AUROC != 1 || e.Balanced.Accepted != 0 {
		t.Errorf("of classes that lie apart the AUROC is %v and %v of unknown pictures are let in", e.Candidates[0].AUROC, e.Balanced.Accepted)
	}
	cmdtest.Prints(t, "calibrated   100.00% ± 0.00%", args...)
	// All three classes are known, and all unknown images are of the fourth.
	split := filepath.Join(t.TempDir(), "split.json")
	cmdtest.WriteText(t, split, `{"train": ["class3"], "val": [], "test": ["class0", "class1", "class2"]}`)
	e = cmdtest.JSON[openEvaluation](t, "eval", "--features", f, "--split", split, "--way", "3", "--shot", "3", "--query", "2", "--episodes", "8", "--unknown", "--unknown-of", "class3", "--json")
	if e.Known != 6 || e.Unknown != 6 || e.Candidates[0].AUROC != 1 {
		t.Errorf("with --unknown-of: %+v", e)
	}
	// The prior can be given by a network or in numbers. One known level changes the calibration of one example.
	single := []string{"eval", "--features", f, "--way", "2", "--shot", "1", "--query", "2", "--episodes", "8", "--unknown", "--json"}
	usual := cmdtest.JSON[openEvaluation](t, single...)
	for _, prior := range []string{"resnet12-photo", "6.4,0.5,2.3,-0.1,-0.12,0,0.46,1.16,-0.45,0.92"} {
		if e := cmdtest.JSON[openEvaluation](t, append(single, "--prior", prior)...); e.Levels.Known == usual.Levels.Known {
			t.Errorf("--prior %s does not change the calibrated scores of known images, %+v", prior, e.Levels.Known)
		}
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--prior", f + "x"}, "is the path right?"},
		{[]string{"--unknown=false", "--prior", "resnet12-s"}, "--prior requires --unknown"},
		{[]string{"--unknown=false", "--unknown-of", "class3"}, "--unknown-of requires --unknown"},
		{[]string{"--unknown-of", "clas3"}, "--unknown-of clas3: f.npy has no such class; it has class0, class1, class2, class3"},
		{[]string{"--unknown-of", "class3"}, "--unknown-of class3: the episodes are of this class, too (all classes): give a class outside them, or another --split"},
		{[]string{"--prior", "1,2"}, "--prior: "},
		{[]string{"--classifier", "linear-head"}, "takes --classifier prototype"},
		{[]string{"--classifier", "prototype,nearest"}, "takes --classifier prototype"},
		{[]string{"--logits", filepath.Join(t.TempDir(), "l.npy")}, "--logits cannot be combined with --unknown"},
		{[]string{"--way", "3"}, "1 class is left outside an episode, want 3"},
	} {
		cmdtest.Fails(t, c.want, append(args, c.flags...)...)
	}
}
