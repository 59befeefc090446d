package release

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/require"
)

// maxDownload is the maximum size of the module for go get: default networks of both kinds, code and
// test data, without reports and full-width networks.
const maxDownload = 15 << 20

// TestDownloadStaysSmall packs the module as the go command would and asserts how
// large it is.
func TestDownloadStaysSmall(t *testing.T) {
	size := len(pack(t))
	t.Logf("the module is %.1f MB as go get downloads it", float64(size)/(1<<20))
	if size > maxDownload {
		t.Errorf("go get would download %.1f MB, more than %d: move what programs do not need to a module of its own, as trainer/results is",
			float64(size)/(1<<20), maxDownload>>20)
	}
}

// pack returns the module's zip file at the current version, like a module proxy, from the files that
// git does not ignore.
func pack(t *testing.T) []byte {
	t.Helper()
	var files []zip.File
	nested := map[string]bool{}
	names := tracked(t)
	for _, name := range names {
		if folder, ok := strings.CutSuffix(name, "/go.mod"); ok {
			nested[folder] = true
		}
	}
	for _, name := range names {
		if !inNested(name, nested) {
			files = append(files, file(name))
		}
	}

	var out bytes.Buffer
	require.NoError(t, zip.Create(&out, module.Version{Path: modulePath, Version: "v" + core.Version}, files))
	return out.Bytes()
}

// tracked returns the paths of the files that git does not ignore, with slashes.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("this is no git checkout, which says what belongs to the module: %v", err)
	}
	var names []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if info, err := file(name).Lstat(); name != "" && err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return names
}

// inNested reports whether a file is in a nested module.
func inNested(name string, nested map[string]bool) bool {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if nested[folder] {
			return true
		}
	}
	return false
}

// A file of the module by its name, as package zip takes it.
type file string

func (f file) Path() string                 { return string(f) }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.onDisk()) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.onDisk()) }
func (f file) onDisk() string               { return filepath.Join(root, filepath.FromSlash(string(f))) }
