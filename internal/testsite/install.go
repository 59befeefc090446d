package testsite

import (
	"os"
	"path/filepath"
	"testing"
)

// Install copies the npm packages to the node_modules of a folder, as npm does.
func Install(t testing.TB, folder string) {
	t.Helper()
	packages, err := Packages()
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"deepemd": "deepemd", "resnet12-s": "@deepemd/resnet12-s", "resnet12-sound": "@deepemd/resnet12-sound"} {
		if err := os.CopyFS(filepath.Join(folder, "node_modules", filepath.FromSlash(to)), os.DirFS(filepath.Join(packages, from))); err != nil {
			t.Fatal(err)
		}
	}
}
