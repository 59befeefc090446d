//go:build !js

package wasmtest

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
)

// Samples unpacks the first n pictures of each folder of Tiny ImageNet.
func Samples(t *testing.T, folders []string, n int) map[string][]string {
	t.Helper()
	archive, err := zip.OpenReader(golden.Path(t, "datasets/tiny-imagenet.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	dir, paths := t.TempDir(), map[string][]string{}
	for _, f := range archive.File {
		folder, name, _ := strings.Cut(f.Name, "/")
		for _, wanted := range folders {
			if folder != wanted || len(paths[folder]) == n || !strings.HasSuffix(name, ".jpg") {
				continue
			}
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			r.Close()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, folder+"-"+name)
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			paths[folder] = append(paths[folder], path)
		}
	}
	for _, folder := range folders {
		if len(paths[folder]) < n {
			t.Fatalf("tiny-imagenet.zip has %d pictures in %s, want %d", len(paths[folder]), folder, n)
		}
	}
	return paths
}
