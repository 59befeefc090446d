package evaluate

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// FuzzReadCell reads cells of any text. What is read can be added to and written, and
// is the same when it is read again.
func FuzzReadCell(f *testing.F) {
	kind := CellKind{Data: "d", Seed: 3, Way: 5, Shot: "1"}
	const of = `"data": "d", "seed": 3, "way": 5, "shot": "1"`
	for _, text := range []string{
		"", "null", "{}", "{" + of + "}", "{" + of + `, "accuracies": [0.5, null, 1e308]}`, "{" + of + `, "accuracies": null, "reliability": {"queries": [1, 2]}}`,
		"{" + of + `, "reliability": {"queries": [-1], "right": [9223372036854775807], "sure": [1e308]}}`, `{"way": 1e30}`, "[",
	} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "cell.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(path, text, 0o600))
		var c *Cell
		var err error
		bombs.Budget(t, 1<<20, 512, len(text), func() { c, err = ReadCell(path, kind) })
		if err != nil {
			return
		}
		if c.CellKind != kind {
			t.Errorf("a cell of kind %+v is read", c.CellKind)
		}
		c.Against(c)
		c.Add(&Result{Accuracies: []float64{0.5}, Way: 2, Logits: [][]float32{{1, 0, 0, 1}}})
		require.NoError(t, c.Write(path))
		if again, err := ReadCell(path, kind); err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("it is read again as %+v, want %+v (%v)", again, c, err)
		}
	})
}
