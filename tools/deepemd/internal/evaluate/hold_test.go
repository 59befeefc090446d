package evaluate

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestOneAtATime refuses to measure into a folder that another process writes into.
func TestOneAtATime(t *testing.T) {
	out := t.TempDir()
	held := require.Value(atomicfile.HoldFolder(out))(t)
	for _, args := range [][]string{
		{"eval", "table", "--features", "absent.npy", "--out", out},
		{"reproduce", "table1", "--data", "absent.zip", "--out", out},
	} {
		_, err := cmdtest.Run(args...)
		if !errors.As(err, new(*atomicfile.InUseError)) || !strings.Contains(err.Error(), out) {
			t.Errorf("%v: error %v, want that %s is in use", args[:2], err, out)
		}
	}
	require.NoError(t, held.Release())
	if _, err := cmdtest.Run("eval", "table", "--features", "absent.npy", "--out", out); err == nil || !strings.Contains(err.Error(), "absent.npy") {
		t.Errorf("afterwards: error %v, want one of the features", err)
	}
}
