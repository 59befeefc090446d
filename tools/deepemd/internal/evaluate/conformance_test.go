package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestConformanceSkipsWhatIsNotThere(t *testing.T) {
	out, err := cmdtest.Run("conformance", "--shared", filepath.Join(t.TempDir(), "none"))
	if err == nil || !strings.Contains(err.Error(), "nothing was compared") || !strings.Contains(err.Error(), "--shared") {
		t.Errorf("with nothing to compare: error %v", err)
	}
	for _, suite := range []string{"transport", "resnet12-cifarfs", "resnet12-s-tiny"} {
		if !strings.Contains(out, suite) {
			t.Errorf("no line for %s:\n%s", suite, out)
		}
	}
	if n := strings.Count(out, "skipped: "); n != 3 || strings.Contains(out, "pass") {
		t.Errorf("%d suites are skipped, want 3 and nothing else:\n%s", n, out)
	}
}

func TestConformanceFails(t *testing.T) {
	shared := t.TempDir()
	problems := `{"transport": [{"kind": "wrong", "cost": [[1]], "supply": [2], "demand": [2], "optimum": 2.1}]}`
	require.NoError(t, os.Mkdir(filepath.Join(shared, "reference"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(shared, "reference", "transport.json"), []byte(problems), 0o644))
	out, err := cmdtest.Run("conformance", "--shared", shared)
	if err == nil || !strings.Contains(err.Error(), "1 of 1 comparisons") {
		t.Errorf("error %v, want one that counts the failure", err)
	}
	if !strings.Contains(out, "FAIL") {
		t.Errorf("the table shows no failure:\n%s", out)
	}
}

// The command's table for a few episodes; package conformance compares them all.
func TestConformanceTable(t *testing.T) {
	if testing.Short() {
		t.Skip("short mode: package conformance makes the same comparisons")
	}
	shared := filepath.Dir(filepath.Dir(golden.Path(t, "reference/reference.json")))
	out, err := cmdtest.Run("conformance", "--shared", shared, "--episodes", "1", "--queries", "5")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"transport problems", "activations of block 4", "logits fcn_84_pyramid_2_1", "logits fcn_64", "100.00%"} {
		if !strings.Contains(out, want) {
			t.Errorf("the table lacks %q:\n%s", want, out)
		}
	}
}
