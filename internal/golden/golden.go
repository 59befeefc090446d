// Package golden finds the shared reference data of tests.
package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a shared file, such as "reference/transport.json". The data are in the
// folder named by DEEPEMD_SHARED, or in a folder "shared" next to the checkout. If the file is
// absent, the test is skipped.
func Path(t testing.TB, name string) string {
	t.Helper()
	if root := os.Getenv("DEEPEMD_SHARED"); root != "" {
		path := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(path); err != nil {
			t.Skipf("DEEPEMD_SHARED has no %s: %v", name, err)
		}
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Skipf("no working directory to look for shared/%s from: %v", name, err)
	}
	for {
		path := filepath.Join(dir, "shared", filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skipf("no shared/%s beside the checkout (DEEPEMD_SHARED may name the folder)", name)
		}
		dir = parent
	}
}
