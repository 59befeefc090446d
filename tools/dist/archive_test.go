package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// An archive is the same wherever and whenever it is made, whoever may read its files.
func TestArchivesAreTheSame(t *testing.T) {
	for _, ending := range []string{".tar.gz", ".zip"} {
		var both [][]byte
		for i, name := range []string{"a", "another folder"} {
			folder := filepath.Join(t.TempDir(), name)
			files := []string{"b/two.txt", "one.txt", "b/" + strings.Repeat("long", 30) + ".txt"}
			if i == 1 {
				slices.Reverse(files)
			}
			for k, f := range files {
				file := filepath.Join(folder, filepath.FromSlash(f))
				write(t, file, "text of "+f)
				when := time.Now().Add(-time.Duration(1+i+k) * 1000 * time.Hour)
				if err := os.Chtimes(file, when, when); err != nil {
					t.Fatal(err)
				}
				if err := os.Chmod(file, []os.FileMode{0o644, 0o600}[i]); err != nil {
					t.Fatal(err)
				}
			}
			entries, err := tree(folder, "top")
			if err != nil {
				t.Fatal(err)
			}
			entries[0].executable = true
			archive := filepath.Join(t.TempDir(), "x"+ending)
			if err := pack(archive, entries); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			both = append(both, data)
			names := contents(t, archive)
			if len(names) != 3 || names["top/one.txt"] != "-rw-r--r-- text of one.txt" || names["top/b/two.txt"] != "-rw-r--r-- text of b/two.txt" {
				t.Errorf("%s holds %v", ending, names)
			}
		}
		if !bytes.Equal(both[0], both[1]) {
			t.Errorf("two %s of the same files differ", ending)
		}
	}
}

// contents reads an archive: for each file its mode and its text.
func contents(t *testing.T, archive string) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(name string, mode os.FileMode, r io.Reader, when time.Time) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !when.Equal(epoch) {
			t.Errorf("%s is of %v", name, when)
		}
		all[name] = fmt.Sprintf("%v %s", mode, text)
	}
	if filepath.Ext(archive) == ".zip" {
		z, err := zip.OpenReader(archive)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), r, f.Modified)
		}
		return all
	}
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
			t.Errorf("%s belongs to %d %d %s", h.Name, h.Uid, h.Gid, h.Uname)
		}
		add(h.Name, h.FileInfo().Mode(), r, h.ModTime)
	}
}

// What would be something else elsewhere goes into no archive.
func TestTreeRefuses(t *testing.T) {
	folder := t.TempDir()
	if _, err := tree(folder, "top"); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("an empty folder: %v", err)
	}
	write(t, filepath.Join(folder, "one.txt"), "one")
	if err := os.Symlink("one.txt", filepath.Join(folder, "two.txt")); err != nil {
		t.Skip(err)
	}
	if _, err := tree(folder, "top"); err == nil || !strings.Contains(err.Error(), "two.txt is no regular file") {
		t.Errorf("a link: %v", err)
	}
	if _, err := tree(filepath.Join(folder, "absent"), "top"); err == nil {
		t.Error("a folder that is not there is packed")
	}
}

// A package's archive has the name and the files that npm gives it.
func TestTarballIsLikeThatOfNPM(t *testing.T) {
	folder, out := filepath.Join(t.TempDir(), "pkg"), t.TempDir()
	write(t, filepath.Join(folder, "package.json"), `{"name": "@deepemd/thing", "version": "1.2.3", "license": "MIT"}`)
	for _, name := range []string{"index.js", "README.md", "LICENSE", "NOTICE.txt", "cdn/index.js"} {
		write(t, filepath.Join(folder, filepath.FromSlash(name)), name)
	}
	name, err := tarball(folder, out)
	if err != nil {
		t.Fatal(err)
	}
	if name != "deepemd-thing-1.2.3.tgz" {
		t.Errorf("it is called %s", name)
	}
	ours := contents(t, filepath.Join(out, name))
	if ours["package/cdn/index.js"] != "-rw-r--r-- cdn/index.js" || len(ours) != 6 {
		t.Errorf("it holds %v", ours)
	}

	write(t, filepath.Join(folder, "package.json"), `{"name": "@deepemd/thing"}`)
	if _, err := tarball(folder, out); err == nil || !strings.Contains(err.Error(), "no version") {
		t.Errorf("a package without a version: %v", err)
	}
	write(t, filepath.Join(folder, "package.json"), `{"name": "@deepemd/thing", "version": "1.2.3", "license": "MIT"}`)

	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm here to compare with")
	}
	cmd := exec.Command(npm, "pack", "--json", "--ignore-scripts", "--pack-destination", t.TempDir())
	cmd.Dir = folder
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack: %v", err)
	}
	var theirs []struct {
		Filename string
		Files    []struct{ Path string }
	}
	if err := json.Unmarshal(said, &theirs); err != nil || len(theirs) != 1 {
		t.Fatalf("npm pack says %s: %v", said, err)
	}
	if theirs[0].Filename != name || len(theirs[0].Files) != len(ours) {
		t.Errorf("npm makes %s with %d files, we %s with %d", theirs[0].Filename, len(theirs[0].Files), name, len(ours))
	}
	for _, f := range theirs[0].Files {
		if ours["package/"+f.Path] == "" {
			t.Errorf("npm packs %s", f.Path)
		}
	}
}

// The checksums are those of the files, as sha256sum writes them.
func TestChecksums(t *testing.T) {
	r := &release{out: t.TempDir()}
	write(t, filepath.Join(r.out, "b"), "test")
	write(t, filepath.Join(r.out, "a"), "")
	r.made = []file{{"b", "second"}, {"a", "first"}}
	if err := r.checksums(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(r.out, sumsName))
	if err != nil {
		t.Fatal(err)
	}
	want := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  b\n"
	if string(got) != want {
		t.Errorf("%s has\n%s want\n%s", sumsName, got, want)
	}
	if err := r.list(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.out, listName))
	if err != nil || !strings.Contains(string(text), "b\n    second\n") || !strings.Contains(string(text), "A draft, not a release") {
		t.Errorf("%s has %s, %v", listName, text, err)
	}
	r.made = []file{{"absent", ""}}
	if err := r.checksums(); err == nil {
		t.Error("a file that is not there has a checksum")
	}
}
