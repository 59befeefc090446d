package layering

import (
	goparser "go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestExamplesCompileElsewhere: examples import only packages that other modules may import.
func TestExamplesCompileElsewhere(t *testing.T) {
	examples := 0
	for _, layer := range []string{"core", "solver", "trainer"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, layer), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() == "internal" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(d.Name(), "example_test.go") {
				return nil
			}
			examples++
			file := require.Value(goparser.ParseFile(token.NewFileSet(), path, nil, goparser.ImportsOnly))(t)
			for _, i := range file.Imports {
				if strings.Contains(i.Path.Value, "/internal/") {
					t.Errorf("%s imports %s: users cannot compile it", path, i.Path.Value)
				}
			}
			return nil
		}))
	}
	if examples < 10 {
		t.Errorf("only %d examples found", examples)
	}
}
