package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// LockFile is the file that is locked in a folder which a process writes into. It is
// there as long as the process runs, and after one that was killed.
const LockFile = "run.lock"

// fileEnding makes the name of the lock for one file of the file's own.
const fileEnding = ".lock"

// InUseError says that another process holds a folder or file.
type InUseError struct {
	Path    string
	Process int       // its number; 0 if unknown
	Since   time.Time // zero if unknown
}

// Error says who holds it, since when, and what to do.
func (e *InUseError) Error() string {
	who := "another process"
	if e.Process != 0 {
		who = fmt.Sprintf("process %d since %s", e.Process, e.Since.Format(time.DateTime))
	}
	return fmt.Sprintf("%s is being written by %s: wait until it ends, or name another place", e.Path, who)
}

// Held is a folder or file that this process alone writes. Release it at the end.
type Held struct {
	lock *flock.Flock // nil where the file system has no locks
	made string       // the folder that was made for it, empty for none
}

// HoldFolder makes a folder if it is not there, and holds it. What writers before left
// half-written in it, because they were killed, is removed.
//
// # Errors
//
// *InUseError; those of the file system. Where a file system has no locks there is
// none: the folder is not held then.
func HoldFolder(dir string) (*Held, error) {
	h := &Held{}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		h.made = dir
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return h.take(filepath.Join(dir, LockFile), dir, func() error { return removeHalves(dir, "", 0) })
}

// HoldFile holds one file in a folder which other processes may write into, too. What
// writers of that file left half-written is removed. Errors are those of [HoldFolder].
func HoldFile(path string) (*Held, error) {
	return (&Held{}).take(path+fileEnding, path, func() error {
		return removeHalves(filepath.Dir(path), filepath.Base(path), 0)
	})
}

// take locks the file and tidies.
func (h *Held) take(file, what string, tidy func() error) (*Held, error) {
	for {
		lock := flock.New(file, flock.SetPermissions(0o644))
		taken, err := lock.TryLock()
		if errors.Is(err, errors.ErrUnsupported) {
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

// removed reports whether the file that was locked is no longer the one of that
// name: whoever held it removed it between our opening and locking it.
func removed(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return true
	}
	named, err := os.Stat(lock.Path())
	return err != nil || !os.SameFile(locked, named)
}

// Release gives it up, and removes the lock's file, and the folder where it was made
// for nothing. A nil Held is nothing's.
func (h *Held) Release() error {
	if h == nil || h.lock == nil {
		return nil
	}
	path := h.lock.Path()
	// The file goes while it is locked: afterwards it may be another's. Windows removes
	// no open file, neither ours now nor another's then.
	err := os.Remove(path)
	if unlocked := h.lock.Unlock(); unlocked != nil {
		return unlocked
	}
	if runtime.GOOS == "windows" {
		err = os.Remove(path)
	}
	if h.made != "" {
		_ = os.Remove(h.made) // which spares a folder that holds something
	}
	if runtime.GOOS == "windows" || errors.Is(err, fs.ErrNotExist) {
		return nil // another has it open, or it is gone
	}
	return err
}

// The file says who locked it, from its second byte on: Windows lets nobody read the
// first one, which is locked. The text has one length, so that nothing remains of an
// earlier one.
const signature = " %-60s\n"

// sign writes who holds the lock.
func sign(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.RFC3339))
	_, err = f.WriteAt(fmt.Appendf(nil, signature, text)[1:], 1)
	return errors.Join(err, f.Close())
}

// inUse reads who holds the lock.
func inUse(file, what string) error {
	e := &InUseError{Path: what}
	f, err := os.Open(file)
	if err != nil {
		return e // it was released just now, or may not be read: it is in use all the same
	}
	defer f.Close()
	text := make([]byte, len(fmt.Sprintf(signature, "")))
	n, _ := f.ReadAt(text[1:], 1)
	var since string
	if _, err := fmt.Sscanf(strings.TrimSpace(string(text[1:1+n])), "process %d since %s", &e.Process, &since); err != nil {
		e.Process = 0
		return e
	}
	if e.Since, err = time.Parse(time.RFC3339, since); err != nil {
		e.Process = 0
	}
	return e
}
