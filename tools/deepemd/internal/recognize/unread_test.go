package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestUnreadQueries: files of a folder that cannot be read are left out and listed. A named file, --strict
// and a folder without any other file are errors.
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
		for _, want := range []string{"left out: " + broken, "left out: " + filepath.Join(dir, "notes.txt"), "left out: " + huge, good + " "} {
			if err != nil || !strings.Contains(said, want) {
				t.Errorf("%s: error %v, want %q in\n%s", verb, err, want, said)
			}
		}
		for _, more := range [][]string{{good, broken}, {"--strict", dir}} {
			if said, err := run(more...); err == nil {
				t.Errorf("%s %v: no error\n%s", verb, more, said)
			}
		}
		require.NoError(t, os.Remove(good))
	}
}
