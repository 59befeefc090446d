package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestUnreadQueries: files that cannot be read are left out and listed. A named one is an error, after the answers
// to the others; --strict and a folder without any other file are errors at once.
func TestUnreadQueries(t *testing.T) {
	net, support, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 2), t.TempDir()
	x, broken := filepath.Join(t.TempDir(), "x.index"), filepath.Join(dir, "broken.jpg")
	require.Value(cmdtest.Run("index", support, "--weights", net, "--out", x))(t)
	cmdtest.WriteText(t, broken, "no picture")
	cmdtest.WriteText(t, filepath.Join(dir, "notes.txt"), "no picture")
	huge := filepath.Join(dir, "huge.png")
	cmdtest.WriteText(t, huge, "")
	require.NoError(t, os.Truncate(huge, 1<<40)) // an error of reading, also for root
	cmdtest.WriteText(t, filepath.Join(support, "chess", "huge.png"), "")
	require.NoError(t, os.Truncate(filepath.Join(support, "chess", "huge.png"), 1<<40))

	for _, verb := range []string{"classify --weights " + net + " --support " + support + " --query", "search --weights " + net + " " + x} {
		run := func(more ...string) (string, error) { return cmdtest.Run(append(strings.Fields(verb), more...)...) }
		if said, err := run(dir); err == nil || !strings.Contains(err.Error(), "no query can be read") {
			t.Errorf("%s with nothing else: %v\n%s", verb, err, said)
		}
		good := filepath.Join(dir, "good.png")
		cmdtest.Picture(t, good, 0, 3)
		said, err := run(dir)
		for _, want := range []string{"left out: " + broken, "class: " + filepath.Join(dir, "notes.txt"), "left out: " + huge, good + " "} {
			if err != nil || !strings.Contains(said, want) {
				t.Errorf("%s: error %v, want %q in\n%s", verb, err, want, said)
			}
		}
		if said, err := run(broken, good); err == nil || !strings.Contains(err.Error(), "1 query was left out") || !strings.Contains(said, good+" ") {
			t.Errorf("%s: error %v of a named file\n%s", verb, err, said)
		}
		for _, more := range [][]string{{broken}, {"--strict", dir}, {"--strict", good, broken}} {
			if said, err := run(more...); err == nil || strings.Contains(said, good+" ") {
				t.Errorf("%s %v: error %v\n%s", verb, more, err, said)
			}
		}
		if err := os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "link.png")); err == nil {
			if said, err := run(filepath.Join(dir, "*.png")); err != nil || !strings.Contains(said, "left out: open "+filepath.Join(dir, "link.png")) {
				t.Errorf("%s of a pattern with a dead link: error %v\n%s", verb, err, said)
			}
			require.NoError(t, os.Remove(filepath.Join(dir, "link.png")))
		}
		require.NoError(t, os.Remove(good))
	}
}

// TestPicturesAmongRecordings: photographs in folders of recordings are left out and listed. A class of photographs is an error
// that says why.
func TestPicturesAmongRecordings(t *testing.T) {
	sounds, queries := cmdtest.Chirps(t, 2), t.TempDir()
	classes := require.Value(os.ReadDir(sounds))(t)
	photo, query := filepath.Join(sounds, classes[0].Name(), "photo.jpg"), filepath.Join(queries, "photo.png")
	cmdtest.Picture(t, photo, 0, 3)
	cmdtest.Picture(t, query, 0, 3)
	cmdtest.Chirp(t, filepath.Join(queries, "a.wav"), 0, 3)
	run := func() (string, error) {
		return cmdtest.Run("classify", "--sound", "--support", sounds, "--query", queries)
	}
	said, err := run()
	for _, want := range []string{"left out: " + photo + ": it is a picture", "left out: " + query + ": it is a picture", "a.wav "} {
		if err != nil || !strings.Contains(said, want) {
			t.Errorf("error %v, want %q in\n%s", err, want, said)
		}
	}
	cmdtest.Picture(t, filepath.Join(sounds, "owl", "photo.jpg"), 0, 3)
	if said, err := run(); err == nil || !strings.Contains(err.Error(), "no example of class owl can be read: ") || !strings.Contains(err.Error(), ": it is a picture") {
		t.Errorf("a class of photographs: error %v\n%s", err, said)
	}
}
