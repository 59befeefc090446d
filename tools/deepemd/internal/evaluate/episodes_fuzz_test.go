package evaluate

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

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
