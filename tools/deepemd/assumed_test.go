package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// Every command that uses a network with an assumed normalization notes it in one line, and only
// then.
func TestCommandsSayWhatIsAssumed(t *testing.T) {
	stated := cmdtest.Weights(t, nil)
	marked := cmdtest.Weights(t, func(f *weights.File) { f.Meta.Assumed = []string{"mean", "std"} })
	dir, five := cmdtest.Pictures(t, 3), t.TempDir()
	for i := range 5 * 6 {
		cmdtest.Picture(t, filepath.Join(five, strconv.Itoa(i/6), strconv.Itoa(i%6)+".png"), i%3, i)
	}
	for _, net := range []string{stated, marked} {
		commandsSay(t, net, dir, five, map[bool]int{true: 1}[net == marked])
	}
}

// commandsSay runs every command that uses a network and counts the notes.
func commandsSay(t *testing.T, net, dir, five string, notes int) {
	t.Helper()
	const note = "note: ImageNet's mean and std are assumed for random"
	out := t.TempDir()
	at := func(name string) string { return filepath.Join(out, name) }
	picture := filepath.Join(dir, "chess", "0.png")
	episodes, site := at("episodes.json"), at("site")
	cmdtest.WriteText(t, episodes, `{"preprocess": {"mean": [0.4, 0.4, 0.4], "std": [0.2, 0.2, 0.2]}, "episodes_1shot": [{"support":
		["across/0.png", "along/0.png", "chess/0.png"], "query": ["across/1.png", "along/1.png", "chess/1.png"]}]}`)
	cmdtest.WriteText(t, filepath.Join(site, "index.html"), "")
	cmdtest.WriteText(t, filepath.Join(site, "deepemd", "networks.js"), "export const networks = {};")
	cmdtest.WriteText(t, filepath.Join(site, "weights", "resnet12-s.safetensors"), "")
	small := func(args ...string) []string { return append(args, "--set", "precision=\"float32\"") }
	for _, c := range []struct {
		verb  string
		args  []string
		flag  string
		quiet bool // another message describes it
	}{
		{verb: "classify", args: []string{"--support", dir, picture}},
		{verb: "project", args: []string{"make", "--support", dir, at("p.deepemd")}},
		{verb: "explain", args: []string{picture, picture, "--json"}},
		{verb: "index", args: []string{dir, "--out", at("x.index")}},
		{verb: "search", args: []string{at("x.index"), picture}},
		{verb: "eval", args: []string{"--data", dir, "--way", "2", "--query", "1", "--episodes", "2"}},
		{verb: "eval", args: []string{"--data", dir, "--episodes", episodes}, quiet: true},
		{verb: "eval", args: []string{"--data", dir, "--episodes", episodes, "--mean", "0,0,0", "--std", "1,1,1"}, quiet: true},
		{verb: "eval", args: []string{"retrieval", "--data", dir}},
		{verb: "reproduce", args: []string{"table2", "--data", five, "--out", at("report"), "--cache", at("cache"), "--episodes", "2", "--query", "1"}},
		{verb: "features", args: []string{"--data", dir, "--out", at("f.npy")}},
		{verb: "train", args: small("pretrain", "--data", dir, "--out", at("pretrain"), "--set", "stages=[{epochs=1,size=32,batch=3}]"), flag: "--init"},
		{verb: "train", args: small("meta", "--data", dir, "--out", at("meta"), "--set", "way=3", "--set", "query=1", "--set", "episodes=1", "--set", "stages=[{epochs=1,size=32}]"), flag: "--init"},
		{verb: "export-site", args: []string{at("public"), "--dir", site}},
	} {
		flag, want := "--weights", notes
		if c.flag != "" {
			flag = c.flag
		}
		if c.quiet {
			want = 0
		}
		printed, err := cmdtest.Run(append(append([]string{c.verb}, c.args...), flag, net)...)
		if got := strings.Count(printed, note); err != nil || got != want {
			t.Errorf("%s %q: the note is there %d times, want %d; error %v:\n%s", c.verb, c.args, got, want, err, printed)
		}
	}
	for _, run := range []string{"pretrain", "meta"} { // trained networks keep the mark
		f := cmdtest.Decode(t, filepath.Join(at(run), training.LastFile))
		if len(f.Meta.Assumed) != 2*notes {
			t.Errorf("train %s: the mark is %q", run, f.Meta.Assumed)
		}
	}
}

// The normalization in a list of episodes takes precedence over an assumption.
func TestEpisodesStateWhatWasAssumed(t *testing.T) {
	marked := cmdtest.Weights(t, func(f *weights.File) {
		f.Meta.Mean, f.Meta.Std, f.Meta.Assumed = [3]float32{0.485, 0.456, 0.406}, [3]float32{0.229, 0.224, 0.225}, []string{"mean", "std"}
	})
	dir, out := cmdtest.Pictures(t, 3), t.TempDir()
	const list = `"episodes_1shot": [{"support": ["across/0.png", "along/0.png", "chess/0.png"], "query": ["across/1.png", "along/1.png", "chess/1.png"]}]}`
	logits := func(name, preprocess string, flags ...string) string {
		t.Helper()
		episodes, file := filepath.Join(out, name+".json"), filepath.Join(out, name+".npy")
		cmdtest.WriteText(t, episodes, "{"+preprocess+list)
		require.Value(cmdtest.Run(append([]string{"eval", "--data", dir, "--episodes", episodes, "--weights", marked, "--logits", file}, flags...)...))(t)
		return cmdtest.ReadText(t, file)
	}
	said := logits("said", `"preprocess": {"mean": [0.1, 0.2, 0.3], "std": [0.4, 0.5, 0.6]}, `)
	if given := logits("given", "", "--mean", "0.1,0.2,0.3", "--std", "0.4,0.5,0.6"); said != given {
		t.Error("the logits are not those of the episodes' own normalisation")
	}
	if assumed := logits("assumed", ""); said == assumed {
		t.Error("the logits are those of what was assumed")
	}
}
