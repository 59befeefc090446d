package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// LockFile is the file that locks a folder. It exists while the process runs, and remains if the
// process is killed.
const LockFile = "run.lock"

// fileEnding is the suffix of the lock of a single file.
const fileEnding = ".lock"

// InUseError reports that another process holds a folder or file.
type InUseError struct {
	Path    string
	Process int       // process ID; 0 if unknown
	Since   time.Time // zero if unknown
}

// Error names the holder, the start time and the remedy.
func (e *InUseError) Error() string {
	who := "another process"
	if e.Process != 0 {
		who = fmt.Sprintf("process %d since %s", e.Process, e.Since.Format(time.DateTime))
	}
	return fmt.Sprintf("%s is being written by %s: wait until it ends, or name another place", e.Path, who)
}

// Lock is a folder or file that only this process writes. Release ends it.
type Lock struct {
	lock *flock.Flock // nil if the file system has no locks
	made string       // folder created by HoldFolder, or ""
}

// HoldFolder creates a folder if necessary, and holds it. It removes the temporary files of killed
// writers.
//
// # Errors
//
// *InUseError; errors of the file system. Without file locks, the folder is not held and there is
// no error.
func HoldFolder(dir string) (*Lock, error) {
	h := &Lock{}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		h.made = dir
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return h.acquire(filepath.Join(dir, LockFile), dir, func() error { return removeHalves(dir, "", 0) })
}

// HoldFile holds one file in a folder that other processes may write to, and removes its temporary
// files from killed writers. It returns the same errors as [HoldFolder].
func HoldFile(path string) (*Lock, error) {
	return (&Lock{}).acquire(path+fileEnding, path, func() error {
		return removeHalves(filepath.Dir(path), filepath.Base(path), 0)
	})
}

// acquire locks file and calls tidy.
func (h *Lock) acquire(file, what string, tidy func() error) (*Lock, error) {
	for {
		if foreign(file) {
			return nil, fmt.Errorf("%s is not a lock: move it away, or write to another place", file)
		}
		lock := flock.New(file, flock.SetPermissions(0o644))
		taken, err := lock.TryLock()
		if lockless(err) {
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		if !taken {
			return nil, inUse(file, what)
		}
		if !removed(lock) {
			h.lock = lock
			break
		}
		if err := lock.Unlock(); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(sign(file), tidy()); err != nil {
		return nil, errors.Join(err, h.Release())
	}
	return h, nil
}

// lockless reports whether an error says that a file system has no locks: with ENOLCK, a network
// file system without a lock service.
func lockless(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK)
}

// removed reports whether the locked file was deleted: its holder may have removed it after this
// process opened it.
func removed(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return true
	}
	named, err := os.Lstat(lock.Path())
	return err != nil || !os.SameFile(locked, named)
}

// Release ends the hold, and removes the lock file and a new, empty folder. A nil Lock does
// nothing.
func (h *Lock) Release() error {
	if h == nil || h.lock == nil {
		return nil
	}
	path := h.lock.Path()
	// The file is removed while it is locked: afterwards it may belong to another process. Windows
	// cannot remove open files.
	err := os.Remove(path)
	if unlocked := h.lock.Unlock(); unlocked != nil {
		return unlocked
	}
	if runtime.GOOS == "windows" {
		err = os.Remove(path)
	}
	if h.made != "" {
		_ = os.Remove(h.made) // fails if the folder is not empty
	}
	if runtime.GOOS == "windows" || errors.Is(err, fs.ErrNotExist) {
		return nil // in use by another process, or already removed
	}
	return err
}

// The lock file contains its holder, starting at the second byte: Windows does not allow reading
// the first one, which is locked. The text has a fixed length, so that it overwrites older text
// completely.
const signature = " %-60s\n"

// foreign reports whether a file is there and is not a lock, which acquire would overwrite and Release delete.
func foreign(file string) bool {
	info, err := os.Lstat(file)
	if err != nil {
		return false
	}
	size := info.Size()
	return !info.Mode().IsRegular() || size != 0 && size != int64(len(fmt.Sprintf(signature, "")))
}

func sign(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.RFC3339))
	_, err = f.WriteAt(fmt.Appendf(nil, signature, text)[1:], 1)
	return errors.Join(err, f.Close())
}

// inUse returns an InUseError with the holder from the lock file.
func inUse(file, what string) error {
	e := &InUseError{Path: what}
	f, err := os.Open(file)
	if err != nil {
		return e // it was just released, or cannot be read; it counts as in use
	}
	defer f.Close()
	text := make([]byte, len(fmt.Sprintf(signature, "")))
	n, _ := f.ReadAt(text[1:], 1)
	var process int
	var since string
	if _, err := fmt.Sscanf(strings.TrimSpace(string(text[1:1+n])), "process %d since %s", &process, &since); err != nil {
		return e
	}
	if at, err := time.Parse(time.RFC3339, since); err == nil {
		e.Process, e.Since = process, at
	}
	return e
}
