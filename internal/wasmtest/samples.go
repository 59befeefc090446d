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
	"github.com/deepemd/deepemd/internal/require"
)

// Samples extracts the first n images of each folder of Tiny ImageNet.
func Samples(t *testing.T, folders []string, n int) map[string][]string {
	t.Helper()
	archive := require.Value(zip.OpenReader(golden.Path(t, "datasets/tiny-imagenet.zip")))(t)
	defer archive.Close()
	dir, paths := t.TempDir(), map[string][]string{}
	for _, f := range archive.File {
		folder, name, _ := strings.Cut(f.Name, "/")
		for _, wanted := range folders {
			if folder != wanted || len(paths[folder]) == n || !strings.HasSuffix(name, ".jpg") {
				continue
			}
			r, err := f.Open()
			require.NoError(t, err)
			data, err := io.ReadAll(r)
			r.Close()
			require.NoError(t, err)
			path := filepath.Join(dir, folder+"-"+name)
			require.NoError(t, os.WriteFile(path, data, 0o644))
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
