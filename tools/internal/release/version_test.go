package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/internal/require"
)

const (
	root       = "../../.."
	modulePath = "github.com/deepemd/deepemd"
)

// read returns a file of the project.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join(root, filepath.FromSlash(name))))(t)
	return data
}

// TestOneVersion asserts that everything which names the project's version names
// the same one. The command and the engine take theirs from core.Version.
func TestOneVersion(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(core.Version) {
		t.Errorf("%q is not a semantic version", core.Version)
	}

	var npm struct{ Version string }
	require.NoError(t, json.Unmarshal(read(t, "wasm/npm/package.json"), &npm))
	if npm.Version != core.Version {
		t.Errorf("wasm/npm/package.json has version %s, core.Version is %s", npm.Version, core.Version)
	}

	newest := regexp.MustCompile(`(?m)^## \[(\d[^\]]*)\]`).FindSubmatch(read(t, "CHANGELOG.md"))
	if newest == nil || string(newest[1]) != core.Version {
		t.Errorf("the newest version in CHANGELOG.md is %q, core.Version is %s", newest, core.Version)
	}
}
