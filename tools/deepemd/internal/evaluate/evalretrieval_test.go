package evaluate

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/data"
)

// channelFeatures writes the features of a number of classes with each images. A channel stands for each
// class, with the strength of an image.
func channelFeatures(t *testing.T, classes, each int, strength func(i int) float32) string {
	t.Helper()
	f := filepath.Join(t.TempDir(), "f.npy")
	features := tensor.New(classes*each, 2, classes)
	var list struct {
		Names   []string `json:"names"`
		Classes []string `json:"classes"`
	}
	for i := range classes * each {
		for node := range 2 {
			features.Row(i)[classes*node+i%classes] = strength(i)
			features.Row(i)[classes*node+(i+i/classes)%classes] += float32(1+node) / 4
		}
		list.Names = append(list.Names, fmt.Sprint(i))
		list.Classes = append(list.Classes, fmt.Sprint("class", i%classes))
	}
	cmdtest.WriteNPY(t, f, features)
	text := require.Value(json.Marshal(list))(t)
	cmdtest.WriteText(t, arrays.ListPath(f), string(text))
	return f
}

// TestEvalUneven: classes of 1 and 4 examples in turn, in eval itself.
func TestEvalUneven(t *testing.T) {
	args := []string{"eval", "--features", channelFeatures(t, 5, 9, func(i int) float32 { return float32(i%3) / 2 }), "--way", "3", "--query", "4", "--shot", "1:4"}
	cmdtest.Prints(t, "3-way 1:4-shot, 6 episodes", append(args, "--episodes", "6")...)
	if e := cmdtest.JSON[evaluation](t, append(args, "--episodes", "6", "--json")...); e.Shot != 4 || fmt.Sprint(e.Shots) != "[1 4]" {
		t.Errorf("%+v", e)
	}
	examples := data.Episode{Support: []string{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"}}
	for number, want := range []string{"a1 b1 c1  b2   b3 ", "a1 b1 c1 a2  c2 a3  c3"} {
		if got := strings.Join((shots{1, 3}).keep(examples, number, 3).Support, " "); got != want {
			t.Errorf("episode %d keeps %q, want %q", number, got, want)
		}
	}
	cmdtest.Fails(t, "--shot 1:4 cannot be combined with --unknown", append(args, "--unknown")...)
	cmdtest.Fails(t, "--shot 1:4: classes of a listed episode", append(args, "--episodes", "list.json")...)
}

func TestEvalRetrieval(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 5)
	eval := func(args ...string) retrievalOutcome {
		t.Helper()
		o := cmdtest.JSON[retrievalOutcome](t, append([]string{"eval", "retrieval", "--candidates", "0,4,all", "--at", "1,3", "--json"}, args...)...)
		for i := range o.Rows {
			o.Rows[i].MatchMs = 0 // no two times are the same
		}
		return o
	}
	all := eval("--data", dir, "--weights", net)
	if all.Pictures != 15 || all.Queries != 15 || all.Classes != 3 || len(all.Rows) != 3 || all.Rows[2].Candidates != "all" || all.Network != "random" {
		t.Errorf("%+v", all)
	}
	for _, row := range all.Rows { // stripes and chessboards are easy
		if len(row.Recall) != 2 || row.Recall[1] < row.Recall[0] || row.Recall[1] < 0.9 || row.RPrecision < 0.5 || row.MAPR > row.RPrecision {
			t.Errorf("%+v", row)
		}
	}
	if kept := all.Rows; kept[0].Kept != nil || *kept[1].Kept < 0.3 || *kept[2].Kept < 1-1e-9 {
		t.Errorf("kept %v", kept)
	}
	if few := eval("--data", dir, "--weights", net, "--each", "2", "--seed", "3"); few.Pictures != 6 || few.Queries != 6 {
		t.Errorf("%+v", few)
	}
	array := filepath.Join(t.TempDir(), "f.npy")
	require.Value(cmdtest.Run("features", "--data", dir, "--weights", net, "--out", array))(t)
	stored := eval("--features", array)
	if a, b := fmt.Sprintf("%+v", all.Rows[0]), fmt.Sprintf("%+v", stored.Rows[0]); a != b || stored.Data != filepath.Base(dir) {
		t.Errorf("of features: %s, of pictures: %s", b, a)
	}
	table := require.Value(cmdtest.Run("eval", "retrieval", "--features", array, "--solver", "sinkhorn"))(t)
	for _, want := range []string{"R@8", "MAP@R", "15 queries among 15 images of 3 classes", "flows by sinkhorn"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	// An array of another program, with and without compression.
	lone := channelFeatures(t, 3, 3, func(int) float32 { return 4 })
	list := cmdtest.ReadText(t, arrays.ListPath(lone))
	cmdtest.WriteText(t, arrays.ListPath(lone), strings.Replace(list, `"classes":["class0"`, `"classes":["alone"`, 1))
	for _, more := range [][]string{nil, {"--compressed"}} {
		table := require.Value(cmdtest.Run(append([]string{"eval", "retrieval", "--features", lone, "--candidates", "all"}, more...)...))(t)
		for _, want := range []string{"75.00%       75.00%  100.00% ", "of f.npy; cross-reference weights; matched", "8 queries (1 is the only one of its class, and no query) among 9 images of 4 classes"} {
			if !strings.Contains(table, want) {
				t.Errorf("%v: the table lacks %q:\n%s", more, want, table)
			}
		}
	}
}

func TestEvalRetrievalErrors(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 2)
	tests := []struct {
		args []string
		want string
	}{
		{nil, "--data is missing"},
		{[]string{"--data", dir, "--each", "3"}, "--each 3: class across has 2 images"},
		{[]string{"--data", dir, "--each", "1"}, "--each 1: want at least two"},
		{[]string{"--data", dir, "--set", "val"}, "--set requires --split"},
		{[]string{"--data", dir, "--candidates", "few"}, `--candidates "few"`},
		{[]string{"--data", dir, "--candidates=-1"}, `--candidates "-1"`},
		{[]string{"--data", dir, "--at", "0"}, "--at: want numbers"},
		{[]string{"--data", dir, "--features", "x.npy"}, "--data cannot be combined with --features"},
		{[]string{"--data", cmdtest.Pictures(t, 1)}, "nothing to find"},
		{[]string{"--data", dir, "more"}, "takes only flags"},
	}
	for _, test := range tests {
		args := []string{"eval", "retrieval"}
		if len(test.args) < 4 || test.args[2] != "--features" {
			args = append(args, "--weights", net)
		}
		cmdtest.Fails(t, test.want, append(args, test.args...)...)
	}
}

// FuzzReadEpisodes reads files of episodes of any text, as --episodes does.
func FuzzReadEpisodes(f *testing.F) {
	for _, text := range []string{
		`{"episodes_1shot": [{"support": ["a", "b"], "query": ["c", "d"]}], "preprocess": {"mean": [0.5, 0.5, 0.5], "std": [1, 1, 1]}}`,
		`{"episodes_1shot": [{"support": ["a", "b"], "query": ["c", "d"]}], "preprocess": {"mean": [1e39, null], "std": "x"}}`,
		`{"episodes_1shot": [{"support": ["a", "b"], "query": ["c", "d"]}], "preprocess": 3}`, `{"preprocess": null}`, ``,
	} {
		f.Add([]byte(text), 1)
	}
	path := filepath.Join(f.TempDir(), "episodes.json")
	f.Fuzz(func(t *testing.T, text []byte, shot int) {
		require.NoError(t, os.WriteFile(path, text, 0o600))
		var list *episodeList
		var err error
		bombs.Budget(t, 1<<20, 1024, len(text), func() { list, err = readEpisodes(path, shot) })
		if err != nil {
			return
		}
		for _, e := range list.episodes {
			if list.way < 2 || len(e.Support) != list.way*shot {
				t.Errorf("%d classes of %d examples, and %d names", list.way, shot, len(e.Support))
			}
		}
		for _, v := range append(list.facts.Mean[:], list.facts.Std[:]...) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Errorf("the normalisation has %v", v)
			}
		}
		_ = list.names()
	})
}
