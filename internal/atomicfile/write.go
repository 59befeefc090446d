// Package atomicfile writes files and folders atomically, detects a full disk, and locks a folder
// or file for one process ([HoldFolder], [HoldFile]). The operating system releases the lock when
// the process ends for any reason.
package atomicfile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// Write creates or replaces the file at path with the output of write. It writes to a temporary
// file in the same folder, syncs it and renames it: path always holds either the complete old file
// or the complete new one. Replaced files keep their permissions; symbolic links are followed.
// Temporary files of killed processes for the same path are removed after a day.
//
// # Errors
//
// Errors of write; an absent or read-only folder; a path that is not a regular file. The temporary
// file is removed.
func Write(path string, write func(io.Writer) error) error {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}
	// Old temporary files do no harm.
	_ = removeHalves(filepath.Dir(target), filepath.Base(target), abandoned)
	temp, err := create(target, mode)
	if err != nil {
		return refused(target, err)
	}
	if err := writeAndSync(temp, write); err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == temp.Name() {
			err = refused(path, failed)
		}
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return errors.Join(refused(path, err), os.Remove(temp.Name()))
	}
	syncFolder(filepath.Dir(target))
	return nil
}

// Check returns the error that [Write] would return if path cannot be written. It leaves no file.
func Check(path string) error {
	target, mode, err := resolve(path)
	if err != nil {
		return err
	}
	temp, err := create(target, mode)
	if err != nil {
		return refused(target, err)
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// WriteFolder creates the folder dir, or fills an empty one. fill writes the files into a temporary
// folder. If dir is new, this folder has the same parent and is then renamed. If dir exists, this folder is
// in dir, and its files are moved: dir may be the current folder, a mounted one or a link, and keeps its
// permissions.
//
// # Errors
//
// A folder that is not empty or has no parent; the errors of fill and of the file system, which name dir. The temporary
// folder is removed.
func WriteFolder(dir string, fill func(temp string) error) error {
	dir = filepath.Clean(dir)
	entries, err := os.ReadDir(dir)
	exists, parent := err == nil, filepath.Dir(dir)
	switch {
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: name a new folder, or empty it", dir)
	case exists:
		parent = dir
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp := filepath.Join(parent, fmt.Sprintf(".new-%016x", rand.Uint64()))
	if err := os.Mkdir(temp, 0o777); err != nil { // the umask removes some permissions
		return refused(dir, err)
	}
	defer os.RemoveAll(temp) // absent after the rename
	if err := fill(temp); err != nil {
		if cause, ok := errors.AsType[syscall.Errno](err); ok { // the user does not know the temporary folder
			err = refused(dir, cause)
		}
		return err
	}
	if exists {
		return moveAll(dir, temp)
	}
	if err := os.Rename(temp, dir); err != nil {
		return refused(dir, err)
	}
	return nil
}

// moveAll moves the files and folders in temp to dir, all or none.
func moveAll(dir, temp string) error {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return err
	}
	for i, entry := range entries {
		if err := os.Rename(filepath.Join(temp, entry.Name()), filepath.Join(dir, entry.Name())); err != nil {
			err = refused(dir, err)
			for _, moved := range entries[:i] {
				err = errors.Join(err, os.RemoveAll(filepath.Join(dir, moved.Name())))
			}
			return err
		}
	}
	return nil
}

// refused returns the error for a path that cannot be written, from the system's error for a temporary file
// or folder.
func refused(path string, err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be written: %w: make the folder %s first, or name another place", path, err, filepath.Dir(path))
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

// resolve returns the file at path, after links, and its permissions, or 0 for a new file.
func resolve(path string) (string, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		link, unlinked := os.Readlink(path)
		if unlinked != nil {
			return path, 0, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Dir(path) + string(filepath.Separator) + link
		}
		folder, file := filepath.Split(link)
		if folder, err = filepath.EvalSymlinks(folder); err != nil { // ".." is relative to the real folder
			return "", 0, refused(link, err)
		}
		return resolve(filepath.Join(folder, file))
	}
	if err != nil {
		return "", 0, refused(path, err)
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s is not a regular file: name a file to write to", path)
	}
	target, err := filepath.EvalSymlinks(path)
	return target, info.Mode().Perm(), err
}

// create creates a temporary file next to target, with the permissions of the file it replaces, if there is one.
func create(target string, replaced fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s.%08x.tmp", target, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(replaced, 0o666))
		if err == nil && replaced != 0 {
			_ = f.Chmod(replaced) // the umask has removed some; not every file system has permissions
		}
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

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

// syncFolder makes a rename durable. Not every system supports it, and the file is complete in any
// case, so errors are ignored.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// Replace writes data to the file at path like [Write], and creates missing folders. It does not
// touch a file with the same content, so that build steps depending on it do not run again.
//
// # Errors
//
// The errors of [Write], and the system's error if the old file cannot be read.
func Replace(path string, data []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// half matches the temporary names of Write: the target, then a number.
var half = regexp.MustCompile(`^(.+)\.[0-9a-f]{8}\.tmp$`)

// RemoveAbandoned removes the temporary files of killed processes from a folder with several
// writers, if they were not modified for a day.
func RemoveAbandoned(dir string) error { return removeHalves(dir, "", abandoned) }

// abandoned is the age of temporary files whose writer must have ended.
const abandoned = 24 * time.Hour

// removeHalves removes temporary files that were not modified for a while: all in a folder, or only
// those for one file name.
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

// windowsFull are ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL, which Windows reports instead of
// ENOSPC.
var windowsFull = []syscall.Errno{39, 112}

// IsFull reports whether a write failed because the disk, or the user's quota, is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		runtime.GOOS == "windows" && slices.ContainsFunc(windowsFull, func(full syscall.Errno) bool { return errors.Is(err, full) })
}
