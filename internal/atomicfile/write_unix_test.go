//go:build unix

package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestWriteObeysUmask: files and folders get the permissions that the user's umask leaves, as from other programs.
func TestWriteObeysUmask(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	for _, umask := range []int{0o077, 0o002} {
		syscall.Umask(umask)
		dir := t.TempDir()
		folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
		require.NoError(t, WriteFolder(folder, func(string) error { return nil }))
		require.NoError(t, Write(file, func(io.Writer) error { return nil }))
		for path, most := range map[string]int{folder: 0o777, file: 0o666} {
			if got := int(require.Value(os.Stat(path))(t).Mode().Perm()); got != most&^umask {
				t.Errorf("umask %03o: %s has %03o, want %03o", umask, filepath.Base(path), got, most&^umask)
			}
		}
	}
}
