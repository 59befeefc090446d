package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// text writes s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// only fails unless the folder holds the one file, with the content.
func only(t *testing.T, path, content string) {
	t.Helper()
	entries := require.Value(os.ReadDir(filepath.Dir(path)))(t)
	if len(entries) != 1 {
		t.Errorf("the folder holds %v, want %s alone", entries, filepath.Base(path))
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != content {
		t.Errorf("%s holds %q, %v, want %q", filepath.Base(path), got, err, content)
	}
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights.safetensors")
	for _, content := range []string{"first", "", strings.Repeat("long", 10000)} {
		require.NoError(t, Write(path, text(content)))
		only(t, path, content)
	}
}

// TestCheck: Check returns the errors of Write, and neither leaves nor changes a file.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	old, link := filepath.Join(dir, "old"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o444))
	if err := os.Symlink(filepath.Join(dir, "gone", "file"), link); err != nil {
		t.Skip("no links here:", err)
	}
	for path, want := range map[string]string{
		old: "", filepath.Join(dir, "new"): "", dir: "is not a regular file", filepath.Join(dir, "gone", "new"): "make the folder", link: "make the folder",
		filepath.Join(old, "new"): "cannot be written",
	} {
		if err := Check(path); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
	require.NoError(t, os.Remove(link))
	only(t, old, "old")
}

func TestWriteKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights.safetensors")
	require.NoError(t, Write(path, text("old")))
	diverged := errors.New("the training diverged")
	err := Write(path, func(w io.Writer) error {
		return errors.Join(text("half of the new")(w), diverged)
	})
	if !errors.Is(err, diverged) {
		t.Errorf("error %v, want that of the writer", err)
	}
	only(t, path, "old")
}

func TestWriteKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, mode := range []fs.FileMode{0o600, 0o666} { // a umask removes bits of the second
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Chmod(path, mode))
		require.NoError(t, Write(path, text("new")))
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("permissions %v, %v, want %v", info.Mode(), err, mode)
		}
	}
	// A new file has the same as a file that is written directly.
	made, usual := path+".made", path+".usual"
	require.NoError(t, errors.Join(Write(made, text("new")), os.WriteFile(usual, nil, 0o666)))
	if got, want := require.Value(os.Stat(made))(t).Mode(), require.Value(os.Stat(usual))(t).Mode(); got != want {
		t.Errorf("a new file has permissions %v, want %v", got, want)
	}
}

func TestWriteFollowsLinks(t *testing.T) {
	target := filepath.Join(t.TempDir(), "target")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	require.NoError(t, Write(link, text("new")))
	only(t, target, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
}

// The first write through links makes the file that they point to.
func TestWriteFollowsLinksToNothing(t *testing.T) {
	parent := t.TempDir()
	folder, far := filepath.Join(parent, "folder"), filepath.Join(parent, "far", "away")
	require.NoError(t, errors.Join(os.Mkdir(folder, 0o755), os.MkdirAll(far, 0o755)))
	for link, target := range map[string]string{
		filepath.Join(parent, "away"): far, filepath.Join(far, "link"): filepath.Join("..", "next"),
		filepath.Join(parent, "far", "next"): filepath.Join(folder, "target"), filepath.Join(parent, "lost"): filepath.Join(parent, "absent", "target"),
		filepath.Join(parent, "up"): "away" + string(filepath.Separator) + filepath.Join("..", "near"),
	} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	link := filepath.Join(parent, "away", "link")
	require.NoError(t, Write(link, text("new")))
	only(t, filepath.Join(folder, "target"), "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	require.NoError(t, Write(filepath.Join(parent, "up"), text("up")))
	if got := require.Value(os.ReadFile(filepath.Join(parent, "far", "near")))(t); string(got) != "up" {
		t.Errorf("the file beside the linked folder has %q", got)
	}
	err := Write(filepath.Join(parent, "lost"), text("new"))
	if want := "make the folder " + filepath.Join(parent, "absent") + " first"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that says %q", err, want)
	}
}

func TestWriteRefuses(t *testing.T) {
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for path, want := range map[string]string{
		folder:                                 "is not a regular file",
		filepath.Join(file, "out"):             " cannot be written: ",
		filepath.Join(folder, "absent", "out"): ": make the folder " + filepath.Join(folder, "absent") + " first",
	} {
		err := Write(path, text("x"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: error %v, want one that says %q", path, err, want)
		}
	}
	// No error names a temporary file.
	path := filepath.Join(folder, "out")
	err := Write(path, func(io.Writer) error {
		temp, _ := filepath.Glob(path + ".*")
		return &fs.PathError{Op: "write", Path: temp[0], Err: syscall.ENOSPC}
	})
	if want := path + " cannot be written: " + syscall.ENOSPC.Error(); !IsFull(err) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	// An error about another file keeps its name.
	source := &fs.PathError{Op: "read", Path: "source", Err: syscall.EIO}
	if err := Write(path, func(io.Writer) error { return source }); err == nil || err.Error() != source.Error() {
		t.Errorf("error %v, want %v", err, source)
	}
	for _, err := range []error{Write(filepath.Join(folder, "absent", "out"), text("x")), WriteFolder(filepath.Join(folder, "absent", "out"), nil)} {
		if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".tmp") || strings.Contains(err.Error(), ".new") {
			t.Errorf("without the folder: error %v", err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestWriteFolderFillsAnEmptyOne: the folder itself stays, with its permissions and links to it.
func TestWriteFolderFillsAnEmptyOne(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o700))
	t.Chdir(folder)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		link = folder // no symbolic links here
	}
	failed := errors.New("out of numbers")
	for _, dir := range []string{".", folder, link} {
		fill := func(temp string) error {
			if got := filepath.Dir(temp); got != dir { // which may be on another disk than its parent
				t.Errorf("%s is filled from a folder in %s", dir, got)
			}
			return errors.Join(os.Mkdir(filepath.Join(temp, "sub"), 0o755), os.WriteFile(filepath.Join(temp, "sub", "file"), []byte(dir), 0o644))
		}
		if err := WriteFolder(dir, func(temp string) error { return errors.Join(fill(temp), failed) }); !errors.Is(err, failed) {
			t.Errorf("%s: error %v", dir, err)
		}
		if err := WriteFolder(dir, fill); err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		only(t, filepath.Join(folder, "sub", "file"), dir)
		entries := require.Value(os.ReadDir(folder))(t)
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 || len(entries) != 1 {
			t.Errorf("%s: %v, %v, %v", dir, info.Mode(), err, entries)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(folder, "sub")))
	}
}

func TestWriteFolderMakesOne(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new") + string(filepath.Separator)
	failed := errors.New("out of numbers")
	if err := WriteFolder(dir, func(string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	full := func(temp string) error {
		return &os.PathError{Op: "write", Path: filepath.Join(temp, "file"), Err: syscall.ENOSPC}
	}
	if err := WriteFolder(dir, full); !IsFull(err) || !strings.HasPrefix(err.Error(), filepath.Clean(dir)+" cannot be written: ") {
		t.Errorf("a full disk: error %v", err)
	}
	fill := func(temp string) error { return os.WriteFile(filepath.Join(temp, "file"), []byte("x"), 0o644) }
	require.NoError(t, WriteFolder(dir, fill))
	only(t, filepath.Join(dir, "file"), "x")
	entries := require.Value(os.ReadDir(parent))(t)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 || len(entries) != 1 {
		t.Errorf("%v, %v; the parent has %v", info.Mode(), err, entries)
	}
	if err := WriteFolder(dir, fill); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a second time: error %v", err)
	}
}

// TestWriteMeetsAnother: another process's file stays, the error names the path, and nothing else is left.
func TestWriteMeetsAnother(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.Mkdir(folder, 0o755))
	for name, test := range map[string]struct {
		path  string
		write func(path, theirs string) error
	}{
		"file": {filepath.Join(t.TempDir(), "out"), func(path, theirs string) error {
			return Write(path, func(io.Writer) error { return os.MkdirAll(theirs, 0o755) })
		}},
		"new folder": {filepath.Join(t.TempDir(), "out"), func(path, theirs string) error {
			return WriteFolder(path, func(string) error { return os.MkdirAll(theirs, 0o755) })
		}},
		"empty folder": {folder, func(path, theirs string) error {
			return WriteFolder(path, func(temp string) error {
				return errors.Join(os.WriteFile(filepath.Join(temp, "a"), nil, 0o644), os.WriteFile(filepath.Join(temp, "theirs"), nil, 0o644), os.MkdirAll(theirs, 0o755))
			})
		}},
	} {
		err := test.write(test.path, filepath.Join(test.path, "theirs"))
		if err == nil || !strings.HasPrefix(err.Error(), test.path+" cannot be written: ") {
			t.Errorf("%s: error %v", name, err)
		}
		for _, dir := range []string{test.path, filepath.Dir(test.path)} {
			if entries := require.Value(os.ReadDir(dir))(t); len(entries) != 1 {
				t.Errorf("%s: %s has %v", name, dir, entries)
			}
		}
		require.Value(os.Stat(filepath.Join(test.path, "theirs")))(t)
	}
}

func TestIsFull(t *testing.T) {
	for err, want := range map[error]bool{
		&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}: true,
		fmt.Errorf("x: %w", syscall.EDQUOT):                        true,
		syscall.EACCES:                                             false,
		nil:                                                        false,
	} {
		if got := IsFull(err); got != want {
			t.Errorf("IsFull(%v) = %v", err, got)
		}
	}
}

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

func TestRemoveHalves(t *testing.T) {
	for name, want := range map[string][]string{
		"":          {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.xyz.tmp"},
		"x.json":    {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.xyz.tmp", "y.json.00000000.tmp"},
		"none.json": {"mine.tmp", "x.0123abcd.TMP", "x.0123abcd.tmp.txt", "x.json", "x.json.0123abcd.tmp", "x.xyz.tmp", "y.json.00000000.tmp"},
	} {
		dir := t.TempDir()
		for _, file := range []string{"mine.tmp", "x.json", "x.json.0123abcd.tmp", "x.xyz.tmp", "x.0123abcd.tmp.txt", "x.0123abcd.TMP", "y.json.00000000.tmp"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o644))
		}
		later := time.Now().Add(time.Hour) // another machine's clock may be ahead
		require.NoError(t, os.Chtimes(filepath.Join(dir, "x.json.0123abcd.tmp"), later, later))
		folder := filepath.Join(dir, "x.json.76543210.tmp")
		require.NoError(t, os.Mkdir(folder, 0o755))
		if err := errors.Join(removeHalves(dir, name, 0), os.Remove(folder)); err != nil {
			t.Error(err)
		}
		entries := require.Value(os.ReadDir(dir))(t)
		var left []string
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if !slices.Equal(left, want) {
			t.Errorf("of %q: left are %v, want %v", name, left, want)
		}
	}
	if err := removeHalves(filepath.Join(t.TempDir(), "absent"), "", 0); err == nil {
		t.Error("an absent folder gives no error")
	}
}

// TestWriteFolderInPlaceOfAFile: a file is not replaced by a folder.
func TestWriteFolderInPlaceOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	if err := WriteFolder(path, func(string) error { return nil }); err == nil {
		t.Error("no error")
	}
	only(t, path, "old")
}

// TestWriteRemovesOldHalves: only temporary files that are older than a day are removed; another
// process may still write newer ones.
func TestWriteRemovesOldHalves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	old, young, others := path+".0123abcd.tmp", path+".4567abcd.tmp", filepath.Join(filepath.Dir(path), "y.json.0123abcd.tmp")
	yesterday := time.Now().Add(-25 * time.Hour)
	for _, file := range []string{old, young, others} {
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		if file != young {
			require.NoError(t, os.Chtimes(file, yesterday, yesterday))
		}
	}
	require.NoError(t, Write(path, text("whole")))
	for file, want := range map[string]bool{path: true, old: false, young: true, others: true} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", filepath.Base(file), err, want)
		}
	}
	if err := RemoveAbandoned(filepath.Dir(path)); err != nil {
		t.Error(err)
	}
	for file, want := range map[string]bool{path: true, young: true, others: false} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("all abandoned ones removed: %s: %v, want it there: %v", filepath.Base(file), err, want)
		}
	}
	if err := RemoveAbandoned(path + "/absent"); err == nil {
		t.Error("an absent folder gives no error")
	}
}
