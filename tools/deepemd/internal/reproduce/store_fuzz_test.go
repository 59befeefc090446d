package reproduce

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
)

// FuzzOpenStore opens what was measured before, of any text. It can be asked, and
// written, and is the same when it is read again.
func FuzzOpenStore(f *testing.F) {
	for _, text := range []string{
		"", "\n", "null\n", `{"id": "a", "setting": {"way": 5, "query": 15, "embedder": {"Kind": "grid", "Grid": [2]}}, "right": [70, 71]}`,
		`{"id": "a", "setting": null, "right": null}` + "\n" + `{"timing": {"solver": "x", "side": 5}}` + "\n" + `{"found": {"id": "g", "recall": [0.5]}}`,
		`{"id": "a", "setting": {"way": 0, "query": 0}, "right": [1]}`, `{"timing": null, "found": null}`, `{"found": {}}` + "\n" + `{"found": {}}`, `{"id": "a", "setting": {"embedder": {"Pyramid": [-1]}}}`,
	} {
		f.Add([]byte(text))
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, storeFile), text, 0o600))
		var s *Store
		var err error
		bombs.Budget(t, 1<<20, 2048, len(text), func() { s, err = OpenStore(cluster.Alone{}, folder) })
		if err != nil {
			return
		}
		for _, o := range s.outcomes {
			o.Accuracy()
			_ = o.Setting.String()
			if s.Find(o.ID) == nil {
				t.Errorf("%q is not found", o.ID)
			}
		}
		s.findings("g")
		require.NoError(t, s.write())
		if again, err := OpenStore(cluster.Alone{}, folder); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("it is read again as %+v, want %+v (%v)", again, s, err)
		}
	})
}

// FuzzReadPart reads features that were kept, and the list of their pictures.
func FuzzReadPart(f *testing.F) {
	array := "\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,2)}\n\x00\x00\x80?\x00\x00\x00@"
	for _, names := range []string{`["a"]`, `["a", "a"]`, `[]`, `null`, `{}`, ``} {
		f.Add([]byte(array), []byte(names))
	}
	path := filepath.Join(f.TempDir(), "a.npy")
	f.Fuzz(func(t *testing.T, array, names []byte) {
		for name, content := range map[string][]byte{path: array, path[:len(path)-len(".npy")] + ".json": names} {
			require.NoError(t, os.WriteFile(name, content, 0o600))
		}
		bombs.Budget(t, 16<<20, 1024, len(array)+len(names), func() {
			sets, err := readPart(path)
			for name, set := range sets {
				if err != nil || set.Check() != nil {
					t.Errorf("%q: %v, %v", name, set.Check(), err)
				}
			}
		})
	})
}
