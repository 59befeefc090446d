package recognize

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestIndexOneAtATime: an index that another process writes is rejected, and leftovers of a killed
// process are removed.
func TestIndexOneAtATime(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 1), filepath.Join(t.TempDir(), "x.index")
	half, others := out+".0123abcd.tmp", filepath.Join(filepath.Dir(out), "y.index.0123abcd.tmp")
	cmdtest.WriteText(t, half, "begun")
	cmdtest.WriteText(t, others, "another's")
	held := require.Value(atomicfile.HoldFile(filepath.Join(filepath.Dir(out), "other")))(t)
	defer held.Release()
	first := require.Value(atomicfile.HoldFile(out))(t)
	args := []string{"index", dir, "--out", out, "--weights", cmdtest.Weights(t, nil)}
	if _, err := cmdtest.Run(args...); !errors.As(err, new(*atomicfile.InUseError)) {
		t.Errorf("a second index: error %v", err)
	}
	require.NoError(t, first.Release())
	cmdtest.WriteText(t, half, "begun")
	if _, err := cmdtest.Run(args...); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]bool{out: true, half: false, others: true, out + ".lock": false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", filepath.Base(path), err, want)
		}
	}
}
