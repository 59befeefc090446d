package atomicfile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

func TestRemoveHalves(t *testing.T) {
	for name, want := range map[string][]string{
		"":          {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.xyz.tmp"},
		"x.json":    {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.xyz.tmp", "y.json.00000000.tmp"},
		"none.json": {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.json.0123abcd.tmp", "x.xyz.tmp", "y.json.00000000.tmp"},
	} {
		dir := t.TempDir()
		for _, file := range []string{"mine.tmp", "x.json", "x.json.0123abcd.tmp", "x.xyz.tmp", "x.0123abcd.tmp.txt", "x.0123abcd.TMP", "y.json.00000000.tmp"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o644))
		}
		if err := removeHalves(dir, name, 0); err != nil {
			t.Error(err)
		}
		entries := require.Value(os.ReadDir(dir))(t)
		var left []string
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if !slices.Equal(left, want) {
			t.Errorf("of %q: left are %v, want %v", name, left, want)
		}
	}
	if err := removeHalves(filepath.Join(t.TempDir(), "absent"), "", 0); err == nil {
		t.Error("an absent folder gives no error")
	}
}

// TestWriteRemovesOldHalves: only temporary files that are older than a day are removed; another
// process may still write newer ones.
func TestWriteRemovesOldHalves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	old, young, others := path+".0123abcd.tmp", path+".4567abcd.tmp", filepath.Join(filepath.Dir(path), "y.json.0123abcd.tmp")
	yesterday := time.Now().Add(-25 * time.Hour)
	for _, file := range []string{old, young, others} {
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		if file != young {
			require.NoError(t, os.Chtimes(file, yesterday, yesterday))
		}
	}
	require.NoError(t, Write(path, text("whole")))
	for file, want := range map[string]bool{path: true, old: false, young: true, others: true} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", filepath.Base(file), err, want)
		}
	}
}
