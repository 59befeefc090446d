//go:build linux || darwin || freebsd

package decoded

import "golang.org/x/sys/unix"

// free is how many bytes may be written to the disk that a folder lies on; ok is
// false where the system does not say.
func free(folder string) (bytes int64, ok bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
