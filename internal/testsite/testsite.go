// Package testsite builds the site, the npm packages and the command once for the tests of all
// packages, in build/test-site, build/test-npm and build/test-command of the module.
//
// It rebuilds if the digest of the sources has changed. Reading the sources also makes them inputs
// of go test, which reruns a package if a file that its tests read has changed.
package testsite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gofrs/flock"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
)

// Site returns the folder of the site, built from the current sources without compression.
var Site = sync.OnceValues(func() (string, error) {
	return build("test-site", "run", "-trimpath", "./tools/build", "-compress=false", "-out")
})

// Packages returns the folder of the npm packages, built from the current sources.
var Packages = sync.OnceValues(func() (string, error) {
	return build("test-npm", "run", "-trimpath", "./tools/build", "-npm", "-out")
})

// Command returns the path of the command deepemd, built from the current sources.
var Command = sync.OnceValues(func() (string, error) {
	folder, err := build("test-command", "build", "-C", "tools/deepemd", "-trimpath", "-o")
	return filepath.Join(folder, "deepemd"), err
})

// sources are the files and folders that builds may depend on; the guides link to any of them. The
// root is not read as a whole: go test would rerun everything when a file in build changes.
var sources = []string{
	"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "NOTICE", "RATIONALE.md", "README.md", "RESULTS.md", "go.mod", "go.sum",
	"core", "docs", "internal", "licenses", "solver", "tools", "trainer", "wasm", "web", "build/docs/reference",
}

// tested is the digest of this process's builds, or empty.
var tested struct {
	sync.Mutex
	root, digest string
}

// Main is the body of TestMain in packages that test a build. It runs the tests, and fails if the
// sources changed in the meantime: some tests used the old build, and go test would cache their
// result for the new sources.
func Main(m *testing.M) {
	code := m.Run()
	tested.Lock()
	defer tested.Unlock()
	if tested.digest != "" {
		if now, err := digest(tested.root); err != nil || now != tested.digest {
			fmt.Fprintln(os.Stderr, "the sources changed while their build was tested: run the tests again")
			code = 1
		}
	}
	os.Exit(code)
}

// build runs the go command with the arguments and a folder, unless build/NAME was built from the
// same sources. Other processes wait.
func build(name string, args ...string) (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	root := filepath.Dir(string(mod))
	folder := filepath.Join(root, "build", name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	lock := flock.New(folder + ".lock")
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer lock.Unlock()
	now, err := digest(root)
	if err != nil {
		return "", err
	}
	tested.Lock()
	tested.root, tested.digest = root, now
	tested.Unlock()
	current := folder + ".digest"
	if last, err := os.ReadFile(current); err == nil && string(last) == now {
		return folder, nil
	}
	// Interrupted builds have no digest.
	if err := os.Remove(current); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	cmd := exec.Command("go", append(args, folder)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", folder, err, out)
	}
	return folder, os.WriteFile(current, []byte(now), 0o666)
}

func digest(root string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version())
	err := walk(root, func(name string, data []byte) error {
		_, err := fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(data))
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// walk reads all sources except tests and their data.
func walk(root string, visit func(name string, data []byte) error) error {
	for _, source := range sources {
		top := filepath.Join(root, filepath.FromSlash(source))
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && path == top:
				return nil // such as the reference of make docs
			case err != nil:
				return err
			case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules"):
				return fs.SkipDir
			case entry.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			return visit(filepath.ToSlash(name), data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Install copies the npm packages to the node_modules of a folder, like npm.
func Install(t testing.TB, folder string) {
	t.Helper()
	packages := require.Value(Packages())(t)
	for from, to := range map[string]string{"deepemd": "deepemd", network.ResNet12Photo: "@deepemd/" + network.ResNet12Photo, network.ResNet12Sound: "@deepemd/" + network.ResNet12Sound} {
		require.NoError(t, os.CopyFS(filepath.Join(folder, "node_modules", filepath.FromSlash(to)), os.DirFS(filepath.Join(packages, from))))
	}
}
