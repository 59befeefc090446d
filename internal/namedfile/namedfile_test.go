package namedfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestRead: a file up to the limit is read; larger ones, devices and folders are errors that name the
// path, whatever their size on the disk.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o666))
	if data, err := Read(path, 5); err != nil || string(data) != "12345" {
		t.Errorf("read %q, error %v", data, err)
	}
	if data, err := Read(os.DevNull, 5); err != nil || len(data) > 0 {
		t.Errorf("read %q from %s, error %v", data, os.DevNull, err)
	}
	if head := Head(path, 3); string(head) != "123" {
		t.Errorf("head %q", head)
	}
	if head := Head(path+"x", 3); len(head) > 0 {
		t.Errorf("head %q of an absent file", head)
	}
	if _, err := os.Stat("/dev/fd"); err == nil {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		pipe := fmt.Sprintf("/dev/fd/%d", r.Fd())
		require.Value(w.WriteString("12345"))(t)
		require.NoError(t, w.Close())
		if head := Head(pipe, 3); len(head) > 0 {
			t.Errorf("head %q of a pipe, which Read then lacks", head)
		}
		require.NoError(t, r.Close())
	}
	sparse := filepath.Join(dir, "sparse")
	require.NoError(t, os.WriteFile(sparse, nil, 0o666))
	require.NoError(t, os.Truncate(sparse, 1<<33))
	wants := map[string]string{path: "larger than 0 MB", sparse: "larger than 0 MB", dir: "name a file in it", filepath.Join(dir, "none"): "is the path right?"}
	if _, err := os.Stat("/dev/zero"); err == nil {
		wants["/dev/zero"] = "a device"
	}
	for path, want := range wants {
		if _, err := Read(path, 4); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that says %q", path, err, want)
		}
	}
	if _, err := Open(sparse, 4); err == nil || !strings.Contains(err.Error(), wants[sparse]) { // before any of it is read
		t.Errorf("%s: error %v, want one that says %q", sparse, err, wants[sparse])
	}
	if _, err := Read(filepath.Join(dir, "none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := ReadAll("the pipe", bytes.NewReader(make([]byte, 9)), 8); err == nil || err.Error() != "the pipe: larger than 0 MB: is it the right file?" {
		t.Errorf("error %v", err)
	}
}
