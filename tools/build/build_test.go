package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, atomicfile.Replace(path, []byte(text)))
}

// age sets a file's time to an hour ago, so that a write shows.
func age(t *testing.T, path string) time.Time {
	t.Helper()
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(path, then, then))
	return then
}

func changed(t *testing.T, path string, since time.Time) bool {
	t.Helper()
	info := require.Value(os.Stat(path))(t)
	return !info.ModTime().Equal(since)
}

func TestCopyTree(t *testing.T) {
	s := &folder{root: t.TempDir(), out: t.TempDir()}
	for _, name := range []string{"deepemd.js", "types.d.ts", "README.md", "embed.go", ".hidden", "testdata/x.js", "sub/more.js"} {
		write(t, filepath.Join(s.root, "npm", filepath.FromSlash(name)), name)
	}
	require.NoError(t, s.write("deepemd/more.js", []byte("made")))
	write(t, filepath.Join(s.root, "npm", "more.js"), "source")
	require.NoError(t, s.copyTree("npm", "deepemd"))
	if text := require.Value(os.ReadFile(filepath.Join(s.out, "deepemd", "more.js")))(t); string(text) != "made" {
		t.Errorf("the copy of a source replaces a file that was made: %q", text)
	}
	if err := s.copyTree("absent", "deepemd"); err != nil {
		t.Errorf("a folder that is absent: %v", err)
	}
	for name, want := range map[string]bool{
		"deepemd.js": true, "types.d.ts": true, "README.md": true, "sub/more.js": true,
		"embed.go": false, ".hidden": false, "testdata/x.js": false,
	} {
		_, err := os.Stat(filepath.Join(s.out, "deepemd", filepath.FromSlash(name)))
		if (err == nil) != want {
			t.Errorf("%s: copied %v, want %v", name, err == nil, want)
		}
	}
}

func TestCompressAll(t *testing.T) {
	dir := t.TempDir()
	script, picture := filepath.Join(dir, "a.js"), filepath.Join(dir, "w.png")
	text := strings.Repeat("let it shrink; ", 200)
	write(t, script, text)
	write(t, picture, text)
	age(t, script)
	require.NoError(t, compressAll(dir, 2, false))
	for ending, reader := range map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		data := require.Value(os.ReadFile(script + ending))(t)
		r := require.Value(reader(bytes.NewReader(data)))(t)
		if back, err := io.ReadAll(r); err != nil || string(back) != text {
			t.Errorf("%s: %d bytes back, %v", ending, len(back), err)
		}
		if _, err := os.Stat(picture + ending); err == nil {
			t.Errorf("a picture was compressed to %s", ending)
		}
		if got := original("a.js" + ending); got != "a.js" {
			t.Errorf("original of a.js%s is %q", ending, got)
		}
	}
	then := time.Now().Add(-time.Minute).Truncate(time.Second)
	require.NoError(t, os.Chtimes(script+".br", then, then))
	require.NoError(t, compressAll(dir, 2, false))
	if changed(t, script+".br", then) {
		t.Error("a file that was up to date was compressed again")
	}
	write(t, script, text+"more")
	require.NoError(t, compressAll(dir, 2, false))
	if !changed(t, script+".br", then) {
		t.Error("a file that had changed was not compressed again")
	}
}

func TestPrintSizes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "a.js"), strings.Repeat("a", 1000))
	write(t, filepath.Join(dir, "w.bin"), "12345")
	require.NoError(t, compressAll(dir, 1, true))
	var buf bytes.Buffer
	require.NoError(t, printSizes(&buf, dir))
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want a heading and two files:\n%s", len(lines), buf.String())
	}
	if f := strings.Fields(lines[1]); len(f) != 4 || f[0] != "1000" || f[3] != "sub/a.js" {
		t.Errorf("line %q", lines[1])
	}
	if f := strings.Fields(lines[2]); len(f) != 4 || f[0] != "5" || f[1] != "-" || f[3] != "w.bin" {
		t.Errorf("line %q", lines[2])
	}
}

// The page is built without what only servers need.
func TestSlimGoApp(t *testing.T) {
	root := require.Value(moduleRoot())(t)
	modfile := require.Value(slimGoApp(root))(t)
	t.Setenv("GOOS", "js")
	t.Setenv("GOARCH", "wasm")
	list := require.Value(output(root, nil, "go", "list", "-modfile="+modfile, "-deps", "./web/studio"))(t)
	packages := strings.Fields(list)
	if !slices.Contains(packages, goApp+"/pkg/app") {
		t.Error("the studio is built without go-app")
	}
	for _, unwanted := range []string{"net/http", "crypto/tls", "crypto/aes", "text/template", "regexp", "github.com/google/uuid"} {
		if slices.Contains(packages, unwanted) {
			t.Errorf("the studio links %s", unwanted)
		}
	}
}

// However many components appear at once, the page does not stop, and it draws each of them once.
func TestSlimGoAppTakesCrowds(t *testing.T) {
	root := require.Value(moduleRoot())(t)
	modfile := require.Value(slimGoApp(root))(t)
	if got := require.Value(output(root, nil, "go", "run", "-modfile="+modfile, "./tools/build/testdata/crowd"))(t); got != "10000 10000" {
		t.Errorf("mounted and drawn: %q, want 10000 of each", got)
	}
}

// Files that leave the source leave the site; files from elsewhere stay.
func TestPrune(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	build := func(names ...string) {
		s := &folder{out: out}
		for _, name := range names {
			require.NoError(t, s.write(name, []byte(name)))
		}
		require.NoError(t, s.prune())
	}
	build("a.js", "sub/b.js")
	write(t, filepath.Join(out, "sub", "b.js.br"), "compressed")
	write(t, filepath.Join(out, "theirs.js"), "theirs")
	write(t, filepath.Join(out, "a.js.br"), "compressed") // stale in the next build, which may compress nothing
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(out, "a.js.br"), old, old))
	write(t, filepath.Join(out, "a.js.gz"), "compressed")
	build("a.js")
	for name, want := range map[string]bool{"a.js": true, "a.js.br": false, "a.js.gz": true, "sub/b.js": false, "sub/b.js.br": false, "theirs.js": true} {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", name, err, want)
		}
	}
}
