package kernel_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// The page ignores the same files as the command: folders.js is tested with trainer/data's table.
func TestHiddenFilesInThePage(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run folders.js:", err)
	}
	root := require.Value(filepath.Abs(filepath.Join("..", "..", "..")))(t)
	raw, err := os.ReadFile(filepath.Join(root, "internal", "folders", "testdata", "hidden.json"))
	require.NoError(t, err)
	var files struct{ Hidden, Seen []string }
	require.NoError(t, json.Unmarshal(raw, &files))
	const program = `
		const { readFileSync } = await import("node:fs");
		const [script, table] = process.argv.slice(1);
		const { hidden, find } = await import("data:text/javascript," + encodeURIComponent(readFileSync(script, "utf8").replaceAll("import.meta.url", '"file:///web/folders.js"')));
		const all = Object.values(JSON.parse(readFileSync(table, "utf8"))).flat();
		const given = all.map((path) => Object.assign(new File([path], path.split("/").pop()), { webkitRelativePath: path }));
		console.log(JSON.stringify({ hidden: all.filter(hidden), found: (await find(given)).map((f) => f.path) }));`
	cmd := exec.Command(node, "--input-type=module", "--eval", program,
		filepath.Join(root, "web", "static", "web", "folders.js"), filepath.Join(root, "internal", "folders", "testdata", "hidden.json"))
	cmd.Stderr = os.Stderr
	out := require.Value(cmd.Output())(t)
	var got struct{ Hidden, Found []string }
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if !slices.Equal(got.Hidden, files.Hidden) {
		t.Errorf("hidden in the page: %q, want %q", got.Hidden, files.Hidden)
	}
	if !slices.Equal(got.Found, files.Seen) {
		t.Errorf("found in the page: %q, want %q", got.Found, files.Seen)
	}
}
