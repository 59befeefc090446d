//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestErrorsNameTheirLibrary: the error of a missing library names this library, also while
// the runtime moves goroutines between threads.
func TestErrorsNameTheirLibrary(t *testing.T) {
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 500 {
				name := fmt.Sprintf("libnone%d-%d.so", g, i)
				if _, err := openFirst([]string{name}, []string{""}); err == nil || strings.Count(err.Error(), name) < 2 {
					t.Errorf("%s: %v", name, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestFoldersAreNotTheCurrentOne: a library in the current folder, which may be an unpacked archive, is not loaded.
func TestFoldersAreNotTheCurrentOne(t *testing.T) {
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "HOME"} {
		t.Setenv(name, "")
	}
	t.Chdir(t.TempDir())
	for _, root := range []string{"lib", ".local/lib"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "python3.11/site-packages/nvidia/cublas/lib"), 0o755))
	}
	for _, folder := range folders() {
		if folder != "" && !filepath.IsAbs(folder) {
			t.Errorf("libraries are looked for in %s", folder)
		}
	}
}
