//go:build !js

package embed_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
)

// root is the root of the checkout.
const root = "../../../.."

// need skips a test that needs npm packages, unless it is requested and npm is installed.
func need(t *testing.T) {
	t.Helper()
	if os.Getenv("DEEPEMD_PACKAGES") == "" {
		t.Skip("npm installs tools for this test: set DEEPEMD_PACKAGES=1, or run make test-all")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm on this machine: install nodejs and npm to test the packages in projects")
	}
}

// npm runs npm in a folder.
func npm(dir string, args ...string) (string, error) {
	cmd := exec.Command("npm", append([]string{"--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"}, args...)...)
	cmd.Dir = dir
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("npm %s: %w\n%s%s", strings.Join(args, " "), err, out.String(), problems.String())
	}
	return out.String(), nil
}

// tools returns the folder of bundlers and frameworks, which is installed once per version.
var tools = sync.OnceValues(func() (string, error) {
	dir, err := filepath.Abs(filepath.Join(root, "build", "packages"))
	if err != nil {
		return "", err
	}
	if err := copyOver(dir, filepath.Join(root, "tools", "packages")); err != nil {
		return "", err
	}
	wanted, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", err
	}
	stamp := filepath.Join(dir, "node_modules", ".deepemd-installed")
	if installed, err := os.ReadFile(stamp); err == nil && bytes.Equal(installed, wanted) {
		return dir, nil
	}
	if _, err := npm(dir, "install"); err != nil {
		return "", err
	}
	return dir, os.WriteFile(stamp, wanted, 0o644)
})

// folders are the packages' folders in the build.
var folders = []string{"deepemd", network.ResNet12Photo, network.ResNet12Sound}

// tarballs returns the files that npm would publish.
var tarballs = sync.OnceValues(func() ([]string, error) {
	dir, err := testsite.Packages()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range folders {
		out, err := npm(filepath.Join(dir, name), "pack", "--pack-destination", dir)
		if err != nil {
			return nil, err
		}
		lines := strings.Fields(out)
		files = append(files, filepath.Join(dir, lines[len(lines)-1]))
	}
	return files, nil
})

// must ends the test unless the error is nil.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		require.NoError(t, err)
		return value
	}
}
