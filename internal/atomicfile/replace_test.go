package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "file.txt")
	for _, content := range []string{"one", "two"} {
		require.NoError(t, Replace(path, []byte(content)))
		only(t, path, content)
	}
	yesterday := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(path, yesterday, yesterday))
	require.NoError(t, Replace(path, []byte("two")))
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(yesterday) {
		t.Errorf("a file with the same content was written again: %v, %v", info.ModTime(), err)
	}
}
