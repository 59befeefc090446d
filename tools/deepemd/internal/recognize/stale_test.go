package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestIndexFollowsFiles: an index gets the new features of a file with other content, even of the
// same size and time, and loses deleted files. The class of a file counts, too.
func TestIndexFollowsFiles(t *testing.T) {
	net := cmdtest.Weights(t, nil)
	dir, x := indexed(t, net)
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	search := func(query string) searchResult {
		t.Helper()
		return cmdtest.JSON[findings](t, "search", x, query, "--weights", net, "--candidates", "all", "--top", "20", "--json").Queries[0]
	}
	changed := path("across/0.png")
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	cmdtest.Picture(t, changed, 2, 7)
	require.NoError(t, os.Chtimes(changed, old, old))
	require.NoError(t, os.Remove(path("chess/3.png")))
	cmdtest.Picture(t, path("along/new.png"), 1, 9)
	printed := require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t)
	for _, want := range []string{"12 pictures of 3 classes: 1 added, 1 replaced, 1 removed", "replaced: across/0.png\n", "removed: chess/3.png\n"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s", want, printed)
		}
	}
	f := search(changed)
	if len(f.Hits) != 12 || f.Hits[0].Picture != "across/0.png" || f.Hits[0].Cosine < 0.999 {
		t.Errorf("found %+v", f.Hits)
	}
	for _, h := range f.Hits {
		if h.Picture == "chess/3.png" {
			t.Error("a deleted file is found")
		}
	}

	// Two files of one size, with the same time.
	a, b := cmdtest.ReadText(t, path("along/0.png")), cmdtest.ReadText(t, path("chess/0.png"))
	size := max(len(a), len(b))
	write := func(content string) {
		t.Helper()
		cmdtest.WriteText(t, changed, content+strings.Repeat("\x00", size-len(content)))
		require.NoError(t, os.Chtimes(changed, old, old))
	}
	for i, content := range []string{a, b, b} {
		write(content)
		want := []string{"1 replaced", "1 replaced", "0 replaced"}[i]
		if printed := require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t); !strings.Contains(printed, want) {
			t.Errorf("change %d: %q is not in %s", i, want, printed)
		}
	}

	// A file that can be read no more leaves the index, too.
	cmdtest.WriteText(t, changed, a[:len(a)/2])
	printed = require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t)
	for _, want := range []string{"11 pictures", "0 added, 0 replaced, 1 removed", "left out: ", "across/0.png: the file ends"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s", want, printed)
		}
	}
	cmdtest.Fails(t, "across/0.png", "index", dir, "--weights", net, "--out", x, "--strict")

	// A class was renamed: its images are new ones.
	require.NoError(t, os.Rename(path("along"), path("up")))
	if printed := require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t); !strings.Contains(printed, "5 added, 0 replaced, 5 removed") {
		t.Errorf("printed %s", printed)
	}

	// A file that exists but cannot be read stays in the index.
	require.NoError(t, os.Remove(path("chess/0.png")))
	require.NoError(t, os.Mkdir(path("chess/0.png"), 0o777))
	printed = require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t)
	for _, want := range []string{"cannot compare chess/0.png, its features stay: ", "0 added, 0 replaced, 0 removed"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s", want, printed)
		}
	}
}
