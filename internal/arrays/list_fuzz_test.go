package arrays

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// FuzzList reads arrays of pictures and of features, each with a list of any text
// beside it.
func FuzzList(f *testing.F) {
	pictures := file(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 2, 3), }", 1, 2, 3, 4, 5, 6)
	features := file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }", 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40)
	for _, array := range [][]byte{pictures, features} {
		for _, list := range []string{`{"names": ["a"], "classes": ["x"]}`, `{"names": ["a", "a"]}`, `{"classes": []}`, `{"size": -1, "std": [0]}`, `null`, `[]`, ``} {
			f.Add(array, []byte(list))
		}
	}
	path := filepath.Join(f.TempDir(), "a.npy")
	f.Fuzz(func(t *testing.T, array, list []byte) {
		for name, content := range map[string][]byte{path: array, ListPath(path): list} {
			require.NoError(t, os.WriteFile(name, content, 0o600))
		}
		bombs.Budget(t, 16<<20, 1024, len(array)+len(list), func() {
			if p, l, err := ReadPictures(path); err == nil && len(l.Names) != p.N {
				t.Errorf("%d names of %d pictures", len(l.Names), p.N)
			}
			d, l, err := ReadListed(path)
			if err != nil {
				return
			}
			sets, err := Sets(d, l.Names)
			if err == nil && len(sets) != len(l.Names) {
				t.Errorf("%d sets of %d names", len(sets), len(l.Names))
			}
			for name, set := range sets {
				if err := set.Check(); err != nil || set.Flat() || set.N*set.C != len(set.Data) {
					t.Errorf("%q: %d nodes of %d channels: %v", name, set.N, set.C, err)
				}
			}
		})
	})
}
