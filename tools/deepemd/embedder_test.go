package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// Every command that embeds images does so by any embedder, and says by which.
func TestEmbedders(t *testing.T) {
	dir, net := cmdtest.Pictures(t, 4), cmdtest.Weights(t, nil)
	for _, c := range []struct {
		name  string
		flags []string
		want  arrays.Embedding
		nodes int
	}{
		{"fcn with pyramid 2,1", []string{"--pyramid", "2,1"}, arrays.Embedding{Pyramid: []int{2, 1}}, 9},
		{"grids 2,3 of ratio 2", []string{"--embedder", "grid"}, arrays.Embedding{Embedder: "grid", Grid: []int{2, 3}, Ratio: 2}, 13},
		{"grids 1,2 of ratio 1.5", []string{"--embedder", "grid", "--grid", "1,2", "--ratio", "1.5", "--resize", "36"},
			arrays.Embedding{Embedder: "grid", Grid: []int{1, 2}, Ratio: 1.5}, 5},
		{"9 random crops", []string{"--embedder", "sampling"}, arrays.Embedding{Embedder: "sampling", Patches: 9}, 9},
		{"4 random crops", []string{"--embedder", "sampling", "--patches", "4", "--patch-seed", "7"},
			arrays.Embedding{Embedder: "sampling", Patches: 4, PatchSeed: 7}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.want.String(); got != c.name {
				t.Errorf("is called %q", got)
			}
			said, _ := json.Marshal(c.want)
			flags := append([]string{"--size", "32", "--weights", net}, c.flags...)

			args := append([]string{"eval", "--data", dir, "--way", "3", "--query", "3", "--episodes", "4", "--disturb", "noise"}, flags...)
			stdout := require.Value(cmdtest.Run(append(args, "--json")...))(t)
			var e struct {
				arrays.Embedding
				Accuracy  float64
				Disturbed []json.RawMessage
			}
			if err := json.Unmarshal([]byte(stdout[strings.Index(stdout, "{"):]), &e); err != nil {
				t.Fatalf("%v in %s", err, stdout)
			}
			if got, _ := json.Marshal(e.Embedding); string(got) != string(said) || e.Accuracy < 0.6 || len(e.Disturbed) != 1 {
				t.Errorf("eval says %s of accuracy %g, want %s", got, e.Accuracy, said)
			}
			cmdtest.Prints(t, c.name, args...)

			out := t.TempDir() + "/f.npy"
			require.Value(cmdtest.Run(append([]string{"features", "--data", dir, "--out", out}, flags...)...))(t)
			array, list, err := arrays.ReadListed(out)
			require.NoError(t, err)
			if got, _ := json.Marshal(list.Embedding); string(got) != string(said) || array.Shape()[1] != c.nodes {
				t.Errorf("features says %s of %v, want %s of %d nodes", got, array.Shape(), said, c.nodes)
			}

			stdout, err = cmdtest.Run(append([]string{"classify", "--support", dir, "--query", dir + "/chess"}, flags...)...)
			if err != nil || strings.Count(stdout, "\n") < 12 || !strings.Contains(stdout, c.name) {
				t.Errorf("%v, classify prints %q", err, stdout)
			}
		})
	}
}

// Whole images pass through the network for some flags of features.
func TestFeaturesNeedFCN(t *testing.T) {
	dir := cmdtest.Pictures(t, 1)
	for _, flag := range []string{"in", "pixels"} {
		args := []string{"features", "--out", t.TempDir() + "/f.npy", "--embedder", "grid", "--" + flag, t.TempDir() + "/g.npy"}
		if flag != "in" {
			args = append(args, "--data", dir)
		}
		cmdtest.Fails(t, "--"+flag+" requires --embedder fcn", args...)
	}
}
