package tests

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// disk is a separate, partly filled file system.
type disk struct{ dir string }

// smallDisk makes one, of some MB. Only an administrator may: the test is skipped for others.
func smallDisk(t *testing.T) disk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("faults", dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("no small disk to fill: mounting one takes an administrator (%v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk{dir}
}

// fill leaves so many bytes of room, in whole pages, or empties the disk of what filled it
// for -1.
func (d disk) fill(t *testing.T, room int64) {
	t.Helper()
	ballast := filepath.Join(d.dir, "ballast")
	require.NoError(t, os.RemoveAll(ballast))
	if room < 0 {
		return
	}
	var facts syscall.Statfs_t
	require.NoError(t, syscall.Statfs(d.dir, &facts))
	free := int64(facts.Bfree) * facts.Bsize
	require.NoError(t, os.WriteFile(ballast, make([]byte, max(free-room, 0)), 0o666))
}
