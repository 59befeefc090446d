// Package typescript finds the compiler that tests hold types against.
package typescript

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// version is the compiler's, as npm names it.
const version = "typescript@7.0.2"

// Compiler returns the path of the TypeScript compiler: the machine's, else one that npm puts
// into the user's cache. Without either the test is skipped.
func Compiler(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("tsc"); err == nil {
		return path
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no TypeScript compiler and no npm to get one with: install nodejs and npm to check the types")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no TypeScript compiler, and nowhere to keep one: %v", err)
	}
	dir := filepath.Join(cache, "deepemd", strings.ReplaceAll(version, "@", "-"))
	tsc := filepath.Join(dir, "node_modules", ".bin", "tsc")
	if _, err := os.Stat(tsc); err == nil {
		return tsc
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skipf("no TypeScript compiler, and nowhere to keep one: %v", err)
	}
	if out, err := exec.Command(npm, "install", "--no-audit", "--no-fund", "--prefix", dir, version).CombinedOutput(); err != nil {
		t.Skipf("no TypeScript compiler, and npm cannot get one: %v\n%s", err, out)
	}
	return tsc
}
