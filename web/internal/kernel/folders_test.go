package kernel_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
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

// A dropped folder with a file or folder that the browser cannot read is reported with its path and a remedy.
func TestUnreadableFolders(t *testing.T) {
	page := nodetest.Start(t, `
		const { find } = await import(ROOT + "web/static/web/folders.js");
		const gone = (_, bad) => bad(new DOMException("A requested file or directory could not be found", "NotFoundError"));
		const folder = (name, ...inside) => ({ name, createReader: () => ({ readEntries: (good) => good(inside.splice(0)) }) });
		const entries = { file: { name: "cup.jpg", isFile: true, file: gone }, folder: { name: "cups", createReader: () => ({ readEntries: gone }) } };
		const answer = (what) => find([folder("things", folder("red", entries[what]))]);`)
	for what, want := range map[string]string{"file": "things/red/cup.jpg", "folder": "things/red/cups"} {
		got := page.Ask(t, what, nil)
		if got == nil || got.Code != CodeUnreadable || got.Message != want {
			t.Fatalf("%s: %+v, want %s", what, got, want)
		}
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Project.BringFailed(kerneltest.Failure(got.Code, got.Message))
			n := s.Notices.List()
			if len(n) != 1 || !strings.Contains(n[0].Title, want) || !strings.Contains(n[0].Text, "moved or changed") || n[0].Detail != "" {
				t.Errorf("notices %+v", n)
			}
		})
	}
}
