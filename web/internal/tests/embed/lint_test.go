//go:build !js

package embed_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// The linters of npm packages report nothing.
func TestPackagesAreFitToPublish(t *testing.T) {
	need(t)
	bin := filepath.Join(must[string](t)(tools()), "node_modules", ".bin")
	for _, file := range must[[]string](t)(tarballs()) {
		for _, command := range [][]string{
			{"publint", "--strict", file},
			{"attw", "--profile", "esm-only", "--no-color", file}, // the package has only ES modules
		} {
			t.Run(command[0]+" "+filepath.Base(file), func(t *testing.T) {
				if out, err := exec.Command(filepath.Join(bin, command[0]), command[1:]...).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
