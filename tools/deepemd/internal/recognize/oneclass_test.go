package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestOneClass: a single class is noted, and still answers.
func TestOneClass(t *testing.T) {
	dir, net := cmdtest.Pictures(t, 2), cmdtest.Weights(t, nil)
	query := filepath.Join(t.TempDir(), "query.png")
	cmdtest.Picture(t, query, 2, 5)
	const warning = "only one class"
	said, err := cmdtest.Run("classify", "--weights", net, "--support", dir, "--query", query)
	if err != nil || strings.Contains(said, warning) {
		t.Errorf("of three classes: %v\n%s", err, said)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, cmdtest.ClassNames[0])))
	if said, err = cmdtest.Run("classify", "--weights", net, "--support", dir, "--query", query, "--nothing", cmdtest.ClassNames[1]); err != nil || strings.Contains(said, warning) {
		t.Errorf("of a class and nothing: %v\n%s", err, said)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, cmdtest.ClassNames[1])))
	if said, err = cmdtest.Run("classify", "--weights", net, "--support", dir, "--query", query); err != nil || !strings.Contains(said, warning+", "+cmdtest.ClassNames[2]) {
		t.Errorf("of one class: %v\n%s", err, said)
	}
	project := filepath.Join(t.TempDir(), "one.deepemd")
	if said, err = cmdtest.Run("project", "make", "--weights", net, "--support", dir, project); err != nil || !strings.Contains(said, warning) {
		t.Errorf("made a project: %v\n%s", err, said)
	}
	if said, err = cmdtest.Run("classify", "--weights", net, "--project", project, "--query", query); err != nil || !strings.Contains(said, warning) {
		t.Errorf("of a project: %v\n%s", err, said)
	}
}
