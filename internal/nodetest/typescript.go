package nodetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// npm packages: the compiler, and the types of the oldest supported Node.
const (
	compiler  = "typescript@7.0.2"
	nodeTypes = "@types/node@20.19.43"
)

// TypeScript returns the path of the TypeScript compiler: the installed one, or one that npm installs
// in the user's cache. Without either, the test is skipped.
func TypeScript(t *testing.T) string {
	t.Helper()
	watch(t)
	if path, err := exec.LookPath("tsc"); err == nil {
		return path
	}
	return filepath.Join(modules(t, compiler), ".bin", "tsc")
}

// NodeTypes returns the folder of Node's types, for the compiler's option typeRoots, which npm
// installs in the user's cache. Without npm, the test is skipped.
func NodeTypes(t *testing.T) string {
	t.Helper()
	return filepath.Join(modules(t, nodeTypes), "@types")
}

// modules returns the node_modules folder of a package and its dependencies in the user's cache. It
// is installed atomically.
func modules(t *testing.T, name string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("no npm to get %s with: install nodejs and npm to check the types", name)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("nowhere to keep %s: %v", name, err)
	}
	dir := filepath.Join(cache, "deepemd", strings.NewReplacer("@", "-", "/", "-").Replace(strings.TrimPrefix(name, "@")))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, "node_modules")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Skipf("nowhere to keep %s: %v", name, err)
	}
	var said []byte
	err = atomicfile.WriteFolder(dir, func(temp string) (err error) {
		said, err = exec.Command(npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", temp, name).CombinedOutput()
		return err
	})
	if _, there := os.Stat(dir); there != nil { // another test may have been faster
		t.Skipf("npm cannot get %s: %v\n%s", name, err, said)
	}
	return filepath.Join(dir, "node_modules")
}
