package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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
