package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Drawn episodes give the same accuracy on any number of threads; listed ones
// give logits of their shape.
func TestEval(t *testing.T) {
	dir := cmdtest.Pictures(t, 6)
	args := []string{"eval", "--data", dir, "--way", "3", "--shot", "2", "--query", "3", "--episodes", "5", "--seed", "4", "--size", "32", "--json"}
	var results []evaluation
	for _, threads := range []string{"1", "3"} {
		results = append(results, cmdtest.JSON[evaluation](t, append(args, "--threads", threads)...))
	}
	if results[0].Accuracy != results[1].Accuracy || results[0].Interval != results[1].Interval {
		t.Errorf("one thread gives %g ± %g, three %g ± %g", results[0].Accuracy, results[0].Interval, results[1].Accuracy, results[1].Interval)
	}
	if r := results[0]; r.Episodes != 5 || r.Way != 3 || r.Shot != 2 || r.Queries != 3 || r.Accuracy < 0.8 {
		t.Errorf("%+v", r)
	}

	episodes := filepath.Join(t.TempDir(), "episodes.json")
	const list = `{"episodes_1shot": [{"support": ["across/0.png", "along/0.png", "chess/0.png"],
		"query": ["across/1.png", "along/1.png", "chess/1.png", "across/2.png", "along/2.png", "chess/2.png"]}]}`
	require.NoError(t, os.WriteFile(episodes, []byte(list), 0o644))
	logits := filepath.Join(t.TempDir(), "logits.npy")
	require.Value(cmdtest.Run("eval", "--data", dir, "--episodes", episodes, "--shot", "1", "--embedder", "fcn", "--pyramid", "2,1",
		"--resize", "40", "--size", "32", "--logits", logits))(t)
	file := require.Value(os.Open(logits))(t)
	defer file.Close()
	npy := require.Value(npyio.NewReader(file))(t)
	var values []float32
	require.NoError(t, npy.Read(&values))
	if fmt.Sprint(npy.Header.Descr.Shape) != "[1 6 3]" || len(values) != 18 {
		t.Errorf("logits of shape %v, want [1 6 3]", npy.Header.Descr.Shape)
	}
}

// Listed episodes can have different numbers of queries.
func TestEvalOfUnequalEpisodes(t *testing.T) {
	dir, episodes := cmdtest.Pictures(t, 6), filepath.Join(t.TempDir(), "episodes.json")
	const support = `{"support": ["across/0.png", "along/0.png"], "query": `
	cmdtest.WriteText(t, episodes, `{"episodes_1shot": [`+
		support+`["across/1.png", "along/1.png"]}, `+
		support+`["across/1.png", "along/1.png", "across/2.png", "along/2.png", "across/3.png", "along/3.png"]}]}`)
	const decomposed = "e\u0301checs" // as macOS completes it
	require.NoError(t, os.Rename(filepath.Join(dir, "chess"), filepath.Join(dir, decomposed)))
	args := []string{"eval", "--data", dir, "--episodes", episodes, "--size", "32"}
	cmdtest.Prints(t, "2 episodes of 1 to 3 queries per class", args...)
	cmdtest.Prints(t, "2 episodes of 2 to 6 known and as many unknown images", append(args, "--unknown", "--unknown-of", decomposed)...)
	list := require.Value(readEpisodes(episodes, 1))(t)
	result := &evaluate.Result{Scoring: 8 * time.Millisecond, Accuracies: []float64{1, 1}}
	if m := compare("prototype", result, result, list); m.QueryMS != 1 {
		t.Errorf("8 queries in 8 ms: %g ms each", m.QueryMS)
	}
}

// Several classifiers see the same episodes: each has the accuracy that it has
// alone.
func TestEvalComparesClassifiers(t *testing.T) {
	args := []string{"eval", "--data", cmdtest.Pictures(t, 6), "--way", "3", "--shot", "2", "--query", "3", "--episodes", "4", "--size", "32"}
	evaluated := func(more ...string) evaluation {
		t.Helper()
		return cmdtest.JSON[evaluation](t, append(append(args, "--json"), more...)...)
	}
	all := evaluated("--classifier", "all")
	if want := len(method.Classifiers()); len(all.Classifiers) != want {
		t.Fatalf("%d classifiers, want %d", len(all.Classifiers), want)
	}
	for _, c := range all.Classifiers {
		if d := c.Accuracy - all.Classifiers[0].Accuracy; !(math.Abs(c.Difference-d) <= 1e-9) || c.DifferenceInterval < 0 {
			t.Errorf("%s: difference %g ± %g, want %g", c.Name, c.Difference, c.DifferenceInterval, d)
		}
		if alone := evaluated("--classifier", c.Name); alone.Accuracy != c.Accuracy || alone.Interval != c.Interval || alone.Classifiers != nil {
			t.Errorf("%s: %g ± %g among others, %g ± %g alone", c.Name, c.Accuracy, c.Interval, alone.Accuracy, alone.Interval)
		}
		if c.QueryMS <= 0 || c.LearnMS < 0 {
			t.Errorf("%s takes %g ms a query, %g to learn", c.Name, c.QueryMS, c.LearnMS)
		}
	}
	printed, err := cmdtest.Run(append(args, "--classifier", "prototype, cosine")...)
	if err != nil || !strings.Contains(printed, "ms a query") || !strings.Contains(printed, "cosine") {
		t.Errorf("%v, printed %q", err, printed)
	}
}

// How images are matched is a matter of flags, and is said.
func TestEvalSaysHowItMatches(t *testing.T) {
	args := []string{"eval", "--data", cmdtest.Pictures(t, 6), "--way", "3", "--shot", "2", "--query", "3", "--episodes", "2", "--size", "32"}
	tests := []struct {
		more []string
		want []string
	}{
		{nil, []string{"prototype, cross-reference weights, "}},
		{[]string{"--weighting", "k-means:1", "--classifier", "merge"}, []string{"merge, k-means:1 weights, 1.0 clusters an image (1 to 1), "}},
		{[]string{"--weighting", "mean-shift"}, []string{"prototype, mean-shift weights, ", " clusters an image ("}},
		{[]string{"--solver", "sinkhorn:0.05"}, []string{"flows by sinkhorn:0.05"}},
		{[]string{"--solver", "interior", "--json"}, []string{`"solver": "interior:1e-06"`}},
		{[]string{"--solver", "dense", "--weighting", "equal"}, []string{"equal weights, flows by dense"}},
		{[]string{"--weighting", "mean-shift:1e9", "--json"}, []string{`"clusters": {`, `"most": 1`}},
		{[]string{"--classifier", "sfc", "--passes", "2"}, []string{", sfc, "}},
		{[]string{"--classifier", "all", "--passes", "1", "--weighting", "k-means:2"}, []string{"prediction-fusion"}},
	}
	for _, test := range tests {
		printed, err := cmdtest.Run(append(args, test.more...)...)
		for _, want := range test.want {
			if err != nil || !strings.Contains(printed, want) {
				t.Errorf("%v: %v, printed %q, want %q", test.more, err, printed, want)
			}
		}
	}
}

func TestEvalErrors(t *testing.T) {
	dir, listed := cmdtest.Pictures(t, 3), filepath.Join(t.TempDir(), "listed.json")
	cmdtest.WriteText(t, listed, `{"episodes_1shot": [{"support": ["across/0.png", "along/0.png"], "query": ["across/1.png", "along/9.png"]}]}`)
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"no data", nil, "--data"},
		{"too many ways", []string{"--data", dir, "--way", "9"}, "9-way"},
		{"too few images", []string{"--data", dir, "--way", "3"}, "along has 3"},
		{"split that is not there", []string{"--data", dir, "--split", "none.json"}, "none.json"},
		{"part without split", []string{"--data", dir, "--set", "val"}, "--split"},
		{"episodes that are not there", []string{"--data", dir, "--episodes", "e.json"}, "--episodes e.json: neither a number nor an existing file"},
		{"other ways than the listed ones", []string{"--data", dir, "--episodes", listed, "--way", "3"}, "--way 3: the episodes of " + listed + " have 2 classes"},
		{"other queries than the listed ones", []string{"--data", dir, "--episodes", listed, "--query", "2"}, "--query 2: episode 1 of " + listed + " has 1 query per class"},
		{"a listed image that is not there", []string{"--data", dir, "--episodes", listed, "--way", "2", "--query", "1"}, listed + ": episode 1: "},

		{"a file of episodes with a seed", []string{"--data", dir, "--episodes", "e.json", "--seed", "1"}, "--seed"},
		{"no episodes", []string{"--data", dir, "--episodes", "0"}, "--episodes 0"},
		{"embedder", []string{"--data", dir, "--embedder", "magic"}, "--embedder magic"},
		{"classifier", []string{"--data", dir, "--classifier", "magic"}, "mixture, prototype, sfc"},
		{"weighting", []string{"--data", dir, "--weighting", "k-means"}, "such as k-means:5"},
		{"solver", []string{"--data", dir, "--solver", "magic"}, "--solver: no solver"},
		{"passes", []string{"--data", dir, "--passes", "-1"}, "--passes"},
		{"nodes that are merged and learned", []string{"--data", dir, "--way", "3", "--query", "2", "--episodes", "1", "--size", "32", "--classifier", "sfc", "--weighting", "mean-shift"}, "trains nodes, and node weights mean-shift merge them"},
		{"logits of several classifiers", []string{"--data", dir, "--classifier", "all", "--logits", "l.npy"}, "--logits takes one"},
		{"pyramid", []string{"--data", dir, "--way", "3", "--query", "2", "--episodes", "1", "--pyramid", "0"}, "pyramid level 0"},
		{"logits into no folder", []string{"--data", dir, "--logits", filepath.Join(dir, "none", "l.npy")}, "--logits"},
		{"data that are not there", []string{"--data", "gone.zip"}, "gone.zip"},
	}
	for _, c := range cases {
		if _, err := cmdtest.Run(append([]string{"eval"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

// TestNumbersOutOfBounds: no number is so large that it ends in a panic.
func TestNumbersOutOfBounds(t *testing.T) {
	dir, net, out := cmdtest.Pictures(t, 4), cmdtest.Weights(t, nil), filepath.Join(t.TempDir(), "out")
	const huge, largest = "9000000000000000000", "9223372036854775807"
	eval := []string{"eval", "--data", dir, "--weights", net, "--way", "2"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{append(eval, "--episodes", huge), "--episodes " + huge + ": want 1000000 at most; the names of their images alone would take more than 1000 TB"},
		{append(eval, "--episodes", "1000001", "--query", "1"), "--episodes 1000001: want 1000000 at most; the names of their images alone would take 64 MB"},
		{append(eval, "--episodes", "2", "--query", largest), "an episode needs 9223372036854775808"},
		{append(eval, "--episodes", "2", "--shot", largest, "--query", largest), "an episode needs 18446744073709551614"},
		{append(eval, "--episodes", "2", "--query", "1", "--way", huge), "add classes, or use fewer ways (--way, or the setting way)"},
		{append(eval, "--episodes", "2", "--query", "1", "--size", "100000"), "--size 100000"},
		{append(eval, "--episodes", "2", "--query", "1", "--resize", huge), "--resize " + huge},
		{[]string{"reproduce", "table1", "--data", dir, "--weights", net, "--out", out, "--episodes", huge}, "--episodes " + huge + ": want 1000000 at most"},
		{[]string{"reproduce", "kshot", "--data", dir, "--weights", net, "--out", out, "--shot-episodes", huge}, "--shot-episodes " + huge + ": want 1000000 at most"},
	} {
		if _, err := cmdtest.Run(c.args...); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%v: error %v, want one that says %q", c.args[5:], err, c.want)
		}
	}
}

func TestEvalDisturbed(t *testing.T) {
	dir := cmdtest.Pictures(t, 6)
	measure := func(args ...string) evaluation {
		t.Helper()
		return cmdtest.JSON[evaluation](t, append([]string{"eval", "--data", dir, "--way", "3", "--query", "2", "--episodes", "5", "--json"}, args...)...)
	}
	plain, all := measure(), measure("--disturb", "all", "--strength", "0.8")
	if len(plain.Disturbed) != 0 || len(all.Disturbed) != len(augment.Disturbances()) || all.Accuracy != plain.Accuracy {
		t.Fatalf("undisturbed %+v\nall %+v", plain, all)
	}
	for i, d := range all.Disturbed {
		if d.Name != augment.DisturbanceNames()[i] || d.Strength != 0.8 || d.Accuracy < 0 || d.Accuracy > 1 {
			t.Errorf("number %d is %+v", i, d)
		}
	}
	// One alone is what it is among all, and no strength costs nothing.
	one := measure("--disturb", "low-light", "--strength", "0.8", "--resize", "90")
	if len(one.Disturbed) != 1 {
		t.Fatalf("%+v", one)
	}
	if again := measure("--disturb", "noise", "--strength", "0.8"); again.Disturbed[0] != all.Disturbed[2] {
		t.Errorf("noise alone is %+v, among all %+v", again.Disturbed[0], all.Disturbed[2])
	}
	if none := measure("--disturb", "noise", "--strength", "0"); none.Disturbed[0].Accuracy != plain.Accuracy || none.Disturbed[0].Change != 0 {
		t.Errorf("strength 0 gives %+v, undisturbed %g", none.Disturbed[0], plain.Accuracy)
	}
	table, err := cmdtest.Run("eval", "--data", dir, "--way", "3", "--query", "2", "--episodes", "2", "--disturb", "jpeg")
	if err != nil || !strings.Contains(table, "as they are") || !strings.Contains(table, "jpeg") {
		t.Errorf("the table: %v\n%s", err, table)
	}
	for want, args := range map[string][]string{
		"want one of motion-blur": {"--disturb", "quake"},
		"want it from 0 to 1":     {"--disturb", "blur", "--strength", "1.5"},
		"requires --disturb":      {"--strength", "0.5"},
		"cannot be combined with": {"--disturb", "blur", "--logits", "x.npy"},
	} {
		cmdtest.Fails(t, want, append([]string{"eval", "--data", dir, "--way", "3", "--query", "2"}, args...)...)
	}
}

func TestEvalSounds(t *testing.T) {
	got := cmdtest.JSON[evaluation](t, "eval", "--sound", "--data", cmdtest.Chirps(t, 4), "--apart", "_", "--way", "3", "--shot", "2", "--query", "3", "--episodes", "20", "--json")
	if !strings.Contains(got.Source, "4 groups") || len(got.Baselines) != 2 {
		t.Fatalf("%+v", got)
	}
	if spectrum := got.Baselines[0]; got.Accuracy < 0.9 || spectrum.Accuracy > got.Accuracy {
		t.Errorf("accuracy %.2f, %s %.2f: want rising, falling and level tones told apart by the network", got.Accuracy, spectrum.Name, spectrum.Accuracy)
	}
	cmdtest.Fails(t, "--apart", "eval", "--sound", "--data", cmdtest.Chirps(t, 4), "--apart", "-", "--way", "3")
}

// TestEvalLeavesOut: unreadable files do not change the figures. The result states the numbers of
// images and episodes. With --strict such files are errors.
func TestEvalLeavesOut(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	whole, broken := cmdtest.Pictures(t, 6), cmdtest.Pictures(t, 6)
	for i := range 6 { // --unknown needs as many other classes
		for _, dir := range []string{whole, broken} {
			cmdtest.Picture(t, filepath.Join(dir, "more", fmt.Sprintf("%d.png", i)), 0, 20+i)
		}
	}
	for _, name := range []string{"chess/3.png", "along/0.png"} {
		require.NoError(t, os.Remove(filepath.Join(whole, name)))
		cmdtest.WriteText(t, filepath.Join(broken, name), "not an image")
	}
	evaluated := func(dir string, args ...string) (e struct {
		evaluation
		Known int `json:"knownPictures"`
	}, printed string) {
		t.Helper()
		printed = require.Value(cmdtest.Run(append(args, "--data", dir, "--weights", net, "--json")...))(t)
		require.NoError(t, json.Unmarshal([]byte(printed[strings.Index(printed, "{"):]), &e))
		return e, printed
	}
	draw := []string{"eval", "--way", "2", "--shot", "1", "--query", "2", "--episodes", "40", "--seed", "4"} // every image is drawn
	for _, more := range [][]string{nil, {"--unknown"}} {
		want, _ := evaluated(whole, append(draw, more...)...)
		got, printed := evaluated(broken, append(draw, more...)...)
		if got.Accuracy != want.Accuracy || got.Calibration != want.Calibration || got.Pictures != want.Pictures || got.Pictures == 0 || got.Episodes != 40 {
			t.Errorf("%v: %v of %d pictures, want %v of %d", more, got.Accuracy, got.Pictures, want.Accuracy, want.Pictures)
		}
		if got.LeftOut < 1 || want.LeftOut != 0 || !strings.Contains(printed, "chess/3.png: not a picture") && !strings.Contains(printed, "along/0.png: not a picture") {
			t.Errorf("%v: %d and %d are left out, printed %s", more, got.LeftOut, want.LeftOut, printed)
		}
	}
	episodes := filepath.Join(t.TempDir(), "episodes.json")
	cmdtest.WriteText(t, episodes, `{"episodes_1shot": [{"support": ["across/0.png", "chess/0.png"], "query": ["across/1.png", "chess/1.png"]},
		{"support": ["across/0.png", "chess/0.png"], "query": ["across/1.png", "chess/3.png"]}]}`)
	if e, _ := evaluated(broken, "eval", "--episodes", episodes, "--unknown"); e.Episodes != 1 || e.Known != 2 {
		t.Errorf("listed episodes and unknown images: %d with %d queries", e.Episodes, e.Known)
	}
	if e, _ := evaluated(broken, "eval", "--episodes", episodes); e.Episodes != 1 || e.Pictures != 4 || e.LeftOut != 1 || e.Source != "episodes.json without 1 episode with images that cannot be read" {
		t.Errorf("listed episodes: %+v", e)
	}
	cmdtest.Prints(t, "22 images (without 2 that cannot be read) embedded", append(draw, "--data", broken, "--weights", net)...)
	r := cmdtest.JSON[retrievalOutcome](t, "eval", "retrieval", "--data", broken, "--weights", net, "--json")
	if r.Pictures != 22 || r.LeftOut != 2 {
		t.Errorf("retrieval: %+v", r)
	}
	for _, args := range [][]string{draw, {"eval", "retrieval"}} {
		cmdtest.Fails(t, "not a picture", append(args, "--data", broken, "--weights", net, "--strict")...)
	}
}

// An episode is left out with its unknown images.
func TestEpisodesWithoutUnreadable(t *testing.T) {
	features := evaluate.Features{}
	for _, name := range []string{"a", "b", "c", "d"} {
		features[name] = new(embed.Set)
	}
	of := func(query string) data.Episode {
		return data.Episode{Support: []string{"a", ""}, Query: []string{query}}
	}
	list := &episodeList{episodes: []data.Episode{of("bad"), of("b"), of("c"), of("d")}, strangers: [][]string{{"a"}, {"c"}, {"bad"}, {"b"}}}
	require.NoError(t, list.removeUnreadable(features))
	if fmt.Sprint(list.episodes, list.strangers) != fmt.Sprint([]data.Episode{of("b"), of("d")}, [][]string{{"c"}, {"b"}}) {
		t.Errorf("%v are left, with the unknown images %v", list.episodes, list.strangers)
	}
	if err := list.removeUnreadable(evaluate.Features{"a": features["a"]}); err == nil || !strings.Contains(err.Error(), "every episode has an image") {
		t.Errorf("without any episode: error %v", err)
	}
}

// --device names a card that must exist.
func TestEvalDevice(t *testing.T) {
	args := append(tinyEval(t), "--device")
	if _, err := cmdtest.Run(append(args, "cuda:9")...); err == nil || !strings.Contains(err.Error(), "cuda:9: ") || !strings.Contains(err.Error(), "--device cpu") {
		t.Errorf("a card that does not exist: %v", err)
	}
	if out := require.Value(cmdtest.Run(append(args, "cpu")...))(t); strings.Contains(out, "cuda") {
		t.Errorf("the processor says %s", out)
	}
}

// A card gives the accuracy of the processor.
func TestEvalOnCard(t *testing.T) {
	var results []evaluation
	for _, device := range []string{"cuda:0", "cpu"} {
		out, err := cmdtest.Run(append(tinyEval(t), "--json", "--device", device)...)
		if err != nil && device != "cpu" {
			t.Skipf("no card to test on: %v", err)
		}
		require.NoError(t, err)
		var e evaluation
		require.NoError(t, json.Unmarshal([]byte(out[strings.Index(out, "{"):]), &e))
		results = append(results, e)
	}
	if card, cpu := results[0], results[1]; card.Accuracy != cpu.Accuracy || !strings.HasPrefix(card.Kernels, "cuda:0 ") {
		t.Errorf("%s has an accuracy of %g, %s of %g", card.Kernels, card.Accuracy, cpu.Kernels, cpu.Accuracy)
	}
}

func tinyEval(t *testing.T) []string {
	return []string{
		"eval", "--data", cmdtest.Pictures(t, 4), "--way", "3", "--shot", "1", "--query", "2", "--episodes", "2", "--size", "32",
		"--weights", cmdtest.Weights(t, nil),
	}
}
