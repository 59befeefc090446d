package training

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// A run that goes on finds its teacher's features; another teacher or other pictures
// have a file of their own.
func TestKeptFeatures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	teacher := func(seed uint64) *weights.File { return resnettest.Weights([]int{4, 4, 4, 4}, 16, seed) }
	name := func(seed uint64, names ...string) kept {
		k := require.Value(keptFeatures(dir, teacher(seed), names))(t)
		return k
	}
	k := name(1, "a", "b")
	if _, err := k.read(2); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before anything is kept: %v", err)
	}
	want := [][]float64{{0.1, -1, 0}, {0.5, 2, 8}}
	require.NoError(t, k.write(want))
	if got, err := name(1, "a", "b").read(2); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := k.read(3); err == nil || !strings.Contains(err.Error(), "want 3 rows") {
		t.Errorf("of more pictures than were kept: %v", err)
	}
	for _, other := range []kept{name(2, "a", "b"), name(1, "ab"), name(1, "b", "a")} {
		if other == k {
			t.Errorf("%s is of another teacher or other pictures", other)
		}
	}
	require.NoError(t, os.WriteFile(string(k), []byte("damaged"), 0o600))
	if _, err := k.read(2); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("of a damaged file: %v", err)
	}
	nowhere, err := keptFeatures("", teacher(1), nil)
	if err != nil || nowhere.write(want) != nil {
		t.Errorf("without a folder: %v", err)
	}
}
