package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// linked is a folder with links of every kind in it.
func linked(t *testing.T) string {
	t.Helper()
	dir, elsewhere := t.TempDir(), t.TempDir()
	for _, path := range []string{
		filepath.Join(dir, "index.html"), filepath.Join(dir, "a", "index.html"),
		filepath.Join(elsewhere, "w.safetensors"), filepath.Join(elsewhere, "deeper", "index.html"),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(filepath.Base(path)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"weights":     elsewhere,
		"file.txt":    filepath.Join(dir, "index.html"),
		"nowhere.txt": filepath.Join(dir, "missing"),
		"itself":      "itself",
		"a/up":        "..",
		"a/here":      ".",
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skipf("this system makes no links: %v", err)
		}
	}
	return dir
}

// Linked folders and files are part of a site; a link that leads nowhere is no file, and
// one that leads up is not followed round and round.
func TestLinkedFolders(t *testing.T) {
	h, err := New(os.DirFS(linked(t)))
	if err != nil {
		t.Fatal(err)
	}
	for path, status := range map[string]int{
		"/": 200, "/a/": 200, "/weights/w.safetensors": 200, "/weights/deeper/": 200, "/file.txt": 200,
		"/nowhere.txt": 404, "/itself": 404, "/a/up/index.html": 404, "/a/here/index.html": 404,
	} {
		if r := get(t, h, path); r.StatusCode != status {
			t.Errorf("%s: status %d, want %d", path, r.StatusCode, status)
		}
	}
}

func TestWalkNamesFilesInOrder(t *testing.T) {
	var got []string
	if err := Walk(os.DirFS(linked(t)), func(name string) error { got = append(got, name); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a/index.html", "file.txt", "index.html", "weights/deeper/index.html", "weights/w.safetensors"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	stop := errors.New("stop")
	if err := Walk(site(), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v, want that of the visit", err)
	}
}

// A folder is no compressed copy, whatever its name.
func TestFolderNamedAsACopy(t *testing.T) {
	h, err := New(fstest.MapFS{"index.html": {Data: []byte("plain")}, "index.html.br/notes.txt": {Data: []byte("notes")}})
	if err != nil {
		t.Fatal(err)
	}
	if r := get(t, h, "/", "Accept-Encoding", "br"); r.StatusCode != 200 || text(t, r) != "plain" {
		t.Errorf("status %d, want the file as it is", r.StatusCode)
	}
}

// What cannot be read is named: a site without it would be another one.
func TestUnreadableFolderIsNamed(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may read everything")
	}
	dir := linked(t)
	if err := os.Chmod(filepath.Join(dir, "a"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "a"), 0o700)
	if _, err := New(os.DirFS(dir)); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "a") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

func TestTooMuchIsNoSite(t *testing.T) {
	small := fstest.MapFS{"index.html": {Data: make([]byte, 600)}, "index.html.br": {Data: make([]byte, 300)}, "a.txt": {Data: make([]byte, 100)}}
	if _, err := load(small, 1000); err != nil {
		t.Errorf("1000 bytes of 1000: %v", err)
	}
	if _, err := load(small, 999); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("1000 bytes of 999: error %v, want one that names the remedy", err)
	}
	many := fstest.MapFS{}
	for i := range 12 {
		many[strings.Repeat("d/", i)+"file"] = &fstest.MapFile{}
	}
	walked := walker{site: many, left: 22, visit: func(string) error { return nil }}
	if err := walked.folder("."); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("23 files and folders of 22: error %v, want one that names the remedy", err)
	}
	walked.left = 23
	if err := walked.folder("."); err != nil {
		t.Errorf("23 files and folders of 23: %v", err)
	}
}
