package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/deepemd/deepemd/internal/require"
)

// holderFolder has the test's program hold a folder, and write a file that never
// ends, until it is killed.
const holderFolder = "DEEPEMD_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holderFolder); dir != "" {
		hang(dir)
	}
	os.Exit(m.Run())
}

func hang(dir string) {
	if _, err := HoldFolder(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_ = Write(filepath.Join(dir, "checkpoint.bin"), func(w io.Writer) error {
		fmt.Println("holds it")
		time.Sleep(time.Hour)
		return nil
	})
}

// TestKilled has another process hold a folder: it is named while it lives, and
// killed it leaves nothing that is in the way.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holderFolder+"="+dir)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	before := time.Now().Truncate(time.Second)
	require.NoError(t, other.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "holds it\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	_, err = HoldFolder(dir)
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.Path != dir || inUse.Process != other.Process.Pid || inUse.Since.Before(before) || inUse.Since.After(time.Now()) {
		t.Errorf("held by process %d: error %v", other.Process.Pid, err)
	}
	if want := fmt.Sprintf("process %d since ", other.Process.Pid); err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("the message %q does not say %q", err, want)
	}
	require.NoError(t, other.Process.Kill())
	_ = other.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) != 1 {
		t.Errorf("the killed process left %v, want one half-written file", left)
	}
	h, err := HoldFolder(dir)
	require.NoError(t, err)
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 || entries[0].Name() != LockFile {
		t.Errorf("the folder has %v, want its lock alone", entries)
	}
	if err := h.Release(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("afterwards the folder has %v, %v", entries, err)
	}
}

// TestFile holds files of one folder apart, and tidies each one's own.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.index.00000001.tmp", "b.index.00000002.tmp"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	a, err := HoldFile(filepath.Join(dir, "a.index"))
	require.NoError(t, err)
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) != 1 || filepath.Base(left[0]) != "b.index.00000002.tmp" {
		t.Errorf("left are %v, want b's", left)
	}
	b, err := HoldFile(filepath.Join(dir, "b.index"))
	if err != nil {
		t.Error(err)
	}
	if _, err := HoldFile(filepath.Join(dir, "a.index")); !errors.As(err, new(*InUseError)) {
		t.Errorf("a second time: error %v", err)
	}
	if err := errors.Join(a.Release(), b.Release()); err != nil {
		t.Error(err)
	}
}

// TestUnknownHolder: a held file without a readable holder is in use all the same.
func TestUnknownHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.index")
	signed := func(text string) string { return fmt.Sprintf(signature, text) }
	for _, text := range []string{"", signed(""), signed("process 12"), signed("process 12 since noon"), signed("notes")} {
		require.NoError(t, os.WriteFile(path+fileEnding, []byte(text), 0o644))
		lock := flock.New(path + fileEnding)
		if taken, err := lock.TryLock(); !taken || err != nil {
			t.Fatal(taken, err)
		}
		_, err := HoldFile(path)
		var inUse *InUseError
		if !errors.As(err, &inUse) || *inUse != (InUseError{Path: path}) || !strings.Contains(err.Error(), "by another process:") {
			t.Errorf("%q: error %v", text, err)
		}
		require.NoError(t, lock.Unlock())
	}
}

// TestHoldFileThatIsNoLock: a file of another program with the name of a lock, or a link, is left alone.
func TestHoldFileThatIsNoLock(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "Cargo"), filepath.Join(dir, "other")
	require.NoError(t, os.WriteFile(path+fileEnding, []byte("[[package]]"), 0o644))
	require.NoError(t, os.WriteFile(other, []byte("keys"), 0o644))
	paths := []string{path}
	if link := filepath.Join(dir, "x.index"); os.Symlink(other, link+fileEnding) == nil {
		paths = append(paths, link)
	}
	for _, path := range paths {
		if _, err := HoldFile(path); err == nil || !strings.Contains(err.Error(), "is not a lock") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	for path, want := range map[string]string{path + fileEnding: "[[package]]", other: "keys"} {
		if text := require.Value(os.ReadFile(path))(t); string(text) != want {
			t.Errorf("%s has %q", path, text)
		}
	}
}

// TestHoldFileInNoFolder: an absent folder is not a file in use. A lock file that is gone needs no removal.
func TestHoldFileInNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "x.index")
	if h, err := HoldFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("held %v, error %v", h, err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no open file")
	}
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o755))
	h := require.Value(HoldFile(path))(t)
	if err := errors.Join(os.RemoveAll(filepath.Dir(path)), h.Release()); err != nil {
		t.Error(err)
	}
}

// TestOneAtATime has many come and go: never are two in.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	var in, entered atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				h, err := HoldFolder(dir)
				if errors.As(err, new(*InUseError)) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				entered.Add(1)
				if n := in.Add(1); n != 1 {
					t.Errorf("%d hold the folder", n)
				}
				in.Add(-1)
				if err := h.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if entered.Load() == 0 {
		t.Error("nobody came in")
	}
}

// TestLockless tells file systems without locks from failures.
func TestLockless(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false, syscall.ENOSYS: true, syscall.EOPNOTSUPP: true, syscall.ENOLCK: true, syscall.EACCES: false, syscall.EIO: false,
	} {
		if err != nil {
			err = &os.PathError{Op: "flock", Path: LockFile, Err: err}
		}
		if got := lockless(err); got != want {
			t.Errorf("%v: without locks: %v, want %v", err, got, want)
		}
	}
}

// TestMadeForNothing removes the folder that was made and got nothing.
func TestMadeForNothing(t *testing.T) {
	made, there := filepath.Join(t.TempDir(), "made"), t.TempDir()
	for dir, want := range map[string]bool{made: false, there: true} {
		h := require.Value(HoldFolder(dir))(t)
		if err := h.Release(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", filepath.Base(dir), err, want)
		}
	}
	if _, err := HoldFolder(filepath.Join(there, "file")); err != nil {
		t.Error(err)
	}
	for _, none := range []*Lock{nil, {}} { // {} is a hold on a file system without locks
		if err := none.Release(); err != nil {
			t.Error(err)
		}
	}
}

// TestRemovedLock: a lock on a deleted or replaced file holds nothing.
func TestRemovedLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), LockFile)
	lock := flock.New(path)
	if taken, err := lock.TryLock(); !taken || err != nil {
		t.Fatal(taken, err)
	}
	defer lock.Unlock()
	if removed(lock) {
		t.Error("a lock in place counts as removed")
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Skip(err) // Windows moves no open file
	}
	if !removed(lock) {
		t.Error("a lock without its file counts")
	}
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	if !removed(lock) {
		t.Error("a lock counts although another file has its name")
	}
}
