package testsite

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

func TestMain(m *testing.M) { Main(m) }

func TestStudioStarts(t *testing.T) {
	site := require.Value(Site())(t)
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	t.Cleanup(server.Close)
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(server.URL)
	browsertest.Until(t, "the studio starts", func() bool {
		b.NoProblems()
		return t.Failed() || b.Is(`document.querySelector(".studio:not([inert])")`)
	})
}

// A test of the studio that go test has cached runs again after a change to the studio,
// and sees the changed studio.
func TestBrokenStudioFails(t *testing.T) {
	site := require.Value(Site())(t)
	root := filepath.Dir(filepath.Dir(site))
	module := t.TempDir()
	copyModule(t, root, module)

	if out, err := runTest(module); err != nil {
		t.Fatalf("in the copy, before any change: %v\n%s", err, out)
	}
	if out, err := runTest(module); err != nil || !strings.Contains(out, "(cached)") {
		t.Fatalf("without a change: %v, want the result from the cache\n%s", err, out)
	}

	view := filepath.Join(module, "web", "studio", "main.go")
	whole := require.Value(os.ReadFile(view))(t)
	broken := bytes.Replace(whole, []byte("func main() {\n"), []byte("func main() {\n\tpanic(\"broken\")\n"), 1)
	if bytes.Equal(broken, whole) {
		t.Fatalf("%s has no function main to break", view)
	}
	replace(t, view, broken)
	if out, err := runTest(module); err == nil || !strings.Contains(out, "panic: broken") {
		t.Errorf("the broken studio: %v, want TestStudioStarts to report the panic\n%s", err, out)
	}
}

// runTest runs TestStudioStarts of a copy of the module.
func runTest(module string) (out string, err error) {
	cmd := exec.Command("go", "test", "-trimpath", "-run", "^TestStudioStarts$", "./internal/testsite")
	cmd.Dir = module
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// copyModule links the sources and tests of this package, and copies the build, which the compiler
// may modify. The copies are an hour old: go test does not cache results that depend on files of
// the last two seconds.
func copyModule(t *testing.T, root, to string) {
	t.Helper()
	copied := func(name string, data []byte) error {
		path := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if os.Link(filepath.Join(root, filepath.FromSlash(name)), path) == nil {
			return nil
		}
		return os.WriteFile(path, data, 0o666)
	}
	require.NoError(t, walk(root, copied))
	const this = "internal/testsite/testsite_test.go"
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(this)))
	if err == nil {
		err = copied(this, data)
	}
	require.NoError(t, err)
	for _, name := range []string{"test-site", ".test-site.wasm"} {
		require.NoError(t, os.CopyFS(filepath.Join(to, "build", name), os.DirFS(filepath.Join(root, "build", name))))
	}
	digest := require.Value(os.ReadFile(filepath.Join(root, "build", "test-site.digest")))(t)
	replace(t, filepath.Join(to, "build", "test-site.digest"), digest)
	replace(t, filepath.Join(to, "build", "test-site.lock"), nil)
	then := time.Now().Add(-time.Hour)
	err = filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() && !strings.HasPrefix(path, filepath.Join(to, "build")) {
			return err // a link is as old as the file
		}
		return os.Chtimes(path, then, then)
	})
	require.NoError(t, err)
}

// replace writes a new file: the old one may be a link.
func replace(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	require.NoError(t, os.WriteFile(path, data, 0o666))
}
