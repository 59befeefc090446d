package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/require"
)

// TestArchiveShipsLicenses makes a release archive, and checks that it has the texts
// which NOTICE names for the command, and that NOTICE lists every module which the
// program in it links.
func TestArchiveShipsLicenses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the command is built")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	s, components := tree(t)
	dist := t.TempDir()
	cmd := exec.Command("make", "archive", "DIST="+dist, "PLATFORM=linux/amd64")
	cmd.Dir = s.root
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	files := unpack(t, filepath.Join(dist, "deepemd-"+core.Version+"-linux-amd64.tar.gz"))
	info := require.Value(buildinfo.Read(bytes.NewReader(files["deepemd"])))(t)
	for _, name := range []string{"LICENSE", "NOTICE"} {
		if want, err := os.ReadFile(filepath.Join(s.root, name)); err != nil || !bytes.Equal(files[name], want) {
			t.Errorf("%s is not the one of the repository: %v", name, err)
		}
	}
	listed := map[string]bool{}
	for _, c := range components {
		if !slices.Contains(c.in, ofCommand) {
			continue
		}
		listed[c.name+" "+c.version] = true
		for _, name := range c.texts {
			if len(files[licensesFolder+"/"+name+".txt"]) == 0 {
				t.Errorf("the archive lacks %s, a license text of %s", name, c.name)
			}
		}
	}
	for _, m := range info.Deps {
		if !listed[m.Path+" "+m.Version] {
			t.Errorf("the command links %s %s, which NOTICE does not list: make licenses", m.Path, m.Version)
		}
	}
	if len(info.Deps) < 20 {
		t.Errorf("the command links only %d modules", len(info.Deps))
	}
}

// unpack returns the files of an archive by their names below its only folder.
func unpack(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	file := require.Value(os.Open(archive))(t)
	defer file.Close()
	z := require.Value(gzip.NewReader(file))(t)
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		data := require.Value(io.ReadAll(r))(t)
		if _, name, _ := strings.Cut(h.Name, "/"); h.Typeflag == tar.TypeReg {
			files[name] = data
		}
	}
}
