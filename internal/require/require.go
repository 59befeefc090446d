// Package require ends a test at an error, and skips one whose reference data are missing.
package require

import (
	"os"
	"path/filepath"
	"testing"
)

// NoError ends the test if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Value returns a function that returns value, and that ends the test if err is not nil:
//
//	data := require.Value(os.ReadFile(name))(t)
func Value[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		NoError(t, err)
		return value
	}
}

// Shared returns the path of a shared file, such as "reference/transport.json". The data are in the
// folder named by DEEPEMD_SHARED, or in a folder "shared" next to the checkout. If the file is
// absent, the test is skipped.
func Shared(t testing.TB, name string) string {
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
