package evaluate

import (
	"errors"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestOneAtATime refuses to measure into a folder that another process writes into.
func TestOneAtATime(t *testing.T) {
	out := t.TempDir()
	held, err := atomicfile.HoldFolder(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"eval", "table", "--features", "absent.npy", "--out", out},
		{"reproduce", "table1", "--data", "absent.zip", "--out", out},
	} {
		_, err := cmdtest.Run(args...)
		if !errors.As(err, new(*atomicfile.InUseError)) || !strings.Contains(err.Error(), out) {
			t.Errorf("%v: error %v, want that %s is in use", args[:2], err, out)
		}
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := cmdtest.Run("eval", "table", "--features", "absent.npy", "--out", out); err == nil || !strings.Contains(err.Error(), "absent.npy") {
		t.Errorf("afterwards: error %v, want one of the features", err)
	}
}
