// Package atomicfile writes files all at once or not at all, detects a full disk, and lets
// one process at a time write a folder or a file ([HoldFolder], [HoldFile]). The operating
// system holds that lock, and releases it when the process ends, however it ends.
package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"time"
)

// Write creates or replaces the file at path with what write writes. The
// content goes to a temporary file beside it, which is synced and then renamed:
// at any moment path holds the whole old file or the whole new one. A file that
// is replaced keeps its permissions; a symbolic link is followed. A temporary file of
// the same path that a killed process left goes after a day.
//
// # Errors
//
// The error of write as it comes; an absent or unwritable folder; a path that
// is not an ordinary file. The temporary file is removed.
func Write(path string, write func(io.Writer) error) error {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}
	// Litter is no reason to fail.
	_ = removeHalves(filepath.Dir(target), filepath.Base(target), abandoned)
	temp, err := create(target, mode)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	if err := writeAndSync(temp, write); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return errors.Join(fmt.Errorf("%s cannot be replaced: %w", path, err), os.Remove(temp.Name()))
	}
	syncFolder(filepath.Dir(target))
	return nil
}

// WriteFolder creates the folder dir, or fills an empty one. fill writes the files into a temporary
// folder with the same parent, which is then renamed.
//
// # Errors
//
// A folder that is not empty or has no parent; the errors of fill and of the file system. The temporary folder is
// removed.
func WriteFolder(dir string, fill func(temp string) error) error {
	dir = filepath.Clean(dir)
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s is not empty: name a new folder, or empty it", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp) // absent after the rename
	if err := errors.Join(fill(temp), os.Chmod(temp, 0o755)); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(temp, dir)
}

// resolve returns the file that path leads to and the permissions it will have.
func resolve(path string) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, 0o666, nil // less the process's umask
	}
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s is not an ordinary file: name a file to write to", path)
	}
	target, err := filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

// create opens a new file beside target.
func create(target string, mode fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s.%08x.tmp", target, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// writeAndSync writes, syncs and closes f.
func writeAndSync(f *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(f)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// syncFolder makes a rename durable. Not every system can sync a folder, and
// the file is whole either way, so that a failure is nobody's business.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// Replace makes the file at path hold the data, as [Write] does, and creates missing
// folders. A file with the same content keeps its modification time, so that build steps
// which depend on it do not run again.
//
// # Errors
//
// The same as those of [Write], and the system's error if the old file cannot be read.
func Replace(path string, data []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// half is the name of a file that Write has begun: the name that it will have is
// before the number.
var half = regexp.MustCompile(`^(.+)\.[0-9a-f]{8}\.tmp$`)

// RemoveAbandoned removes from a folder that several write into what calls of Write began
// and nobody has written to for a day: their processes were killed.
//
// # Errors
//
// Those of reading the folder and of removing.
func RemoveAbandoned(dir string) error { return removeHalves(dir, "", abandoned) }

// abandoned is how long a half-written file lies untouched when its writer must have
// ended: no writer pauses for so long.
const abandoned = 24 * time.Hour

// removeHalves removes the temporary files of killed calls of Write from a folder, of the
// file of one name or of all for an empty name, if nobody has written to them for a while.
func removeHalves(dir, name string, untouched time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		match := half.FindStringSubmatch(entry.Name())
		if match == nil || !entry.Type().IsRegular() || name != "" && match[1] != name {
			continue
		}
		if info, gone := entry.Info(); untouched > 0 && (gone != nil || time.Since(info.ModTime()) < untouched) {
			continue
		}
		if removed := os.Remove(filepath.Join(dir, entry.Name())); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}
	return err
}

// windowsFull are ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL, which Windows
// reports in place of ENOSPC.
var windowsFull = [...]syscall.Errno{39, 112}

// IsFull reports whether an error of writing means that the disk, or the person's
// share of it, is full.
func IsFull(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	if runtime.GOOS == "windows" {
		for _, full := range windowsFull {
			if errors.Is(err, full) {
				return true
			}
		}
	}
	return false
}
