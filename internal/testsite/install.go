package testsite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// Install copies the npm packages to the node_modules of a folder, as npm does.
func Install(t testing.TB, folder string) {
	t.Helper()
	packages := require.Value(Packages())(t)
	for from, to := range map[string]string{"deepemd": "deepemd", "resnet12-s": "@deepemd/resnet12-s", "resnet12-sound": "@deepemd/resnet12-sound"} {
		require.NoError(t, os.CopyFS(filepath.Join(folder, "node_modules", filepath.FromSlash(to)), os.DirFS(filepath.Join(packages, from))))
	}
}
