package kernel_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
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

// The page lists archives of uniform pictures, and refuses small ones that unpack to more than 64 MB.
func TestZipBombs(t *testing.T) {
	page := nodetest.Start(t, `
		import { readFileSync } from "node:fs";
		const text = readFileSync(new URL(ROOT + "web/static/web/folders.js"), "utf8").replaceAll("deepemd/zip.js", ROOT + "wasm/npm/zip.js");
		const { find, unpack } = await import("data:text/javascript," + encodeURIComponent(text));
		const push = Array.prototype.push;
		Array.prototype.push = function (...all) {
			if (all.length > 100_000) throw new RangeError("more arguments than Chromium's stack has room for");
			return push.apply(this, all);
		};
		async function answer({ file, within }) {
			const cups = new File([Buffer.from(file, "base64")], "cups.zip");
			return (await (within ? find([cups]) : unpack(cups))).length;
		}`)
	archive := func(pictures int) []byte {
		var entries []bombs.Entry
		for i := range pictures {
			entries = append(entries, bombs.Entry{Name: fmt.Sprintf("cups/%d.bmp", i), Content: make([]byte, 16<<20), Deflate: true})
		}
		return bombs.Archive(entries...)
	}
	type question struct {
		File   []byte `json:"file"`
		Within bool   `json:"within"`
	}
	var found int
	if err := page.Ask(t, question{File: archive(4)}, &found); err != nil || found != 4 {
		t.Errorf("%d pictures, error %+v: want 4", found, err)
	}
	if err := page.Ask(t, question{File: archive(5)}, &found); err == nil || err.Code != CodeBadZip || err.Message != "cups.zip" {
		t.Errorf("80 MB in a small archive: %+v, want %s", err, CodeBadZip)
	}
	many := make([]bombs.Entry, 130_000)
	for i := range many {
		many[i].Name = strconv.Itoa(i)
	}
	if err := page.Ask(t, question{bombs.Archive(many...), true}, &found); err == nil || err.Code != CodeTooMany || err.Message != "cups.zip" {
		t.Errorf("an archive of %d files among others: %+v, want %s", len(many), err, CodeTooMany)
	}
}

// A dropped folder with a file or folder that the browser cannot read is reported with its path and a remedy,
// and one with too many files with their limit. Files are opened only when they are read.
func TestRefusedFolders(t *testing.T) {
	page := nodetest.Start(t, `
		const { find } = await import(ROOT + "web/static/web/folders.js");
		const gone = (_, bad) => bad(new DOMException("A requested file or directory could not be found", "NotFoundError"));
		const never = () => { throw new Error("opened"); };
		const folder = (name, ...inside) => ({ name, createReader: () => ({ readEntries: (good) => good(inside.splice(0)) }) });
		const cup = { name: "cup.jpg", isFile: true, file: (good) => good(new File([], "cup.jpg")) };
		const entries = {
			file: [{ ...cup, file: gone }],
			folder: [{ name: "cups", createReader: () => ({ readEntries: gone }) }],
			most: [...new Array(50_000).fill({ ...cup, file: never }), folder("empty")],
			more: new Array(50_001).fill({ ...cup, file: never }),
		};
		const chosen = Object.assign(new File([], "cup.jpg"), { webkitRelativePath: "things/cup.jpg" });
		async function answer(what) {
			const found = await find(what === "chosen" ? new Array(50_001).fill(chosen) : [folder("things", folder("red", ...entries[what]))]);
			if (what === "file") await found[0].source.blob();
			return found.length;
		}`)
	var most int
	if err := page.Ask(t, "most", &most); err != nil || most != 50_000 {
		t.Errorf("%d files, error %+v: want 50,000", most, err)
	}
	for what, want := range map[string]struct{ code, name, text string }{
		"file":   {CodeUnreadable, "things/red/cup.jpg", "moved or changed"},
		"folder": {CodeUnreadable, "things/red/cups", "moved or changed"},
		"more":   {CodeTooMany, "things", "50,000"},
		"chosen": {CodeTooMany, "things", "50,000"},
	} {
		got := page.Ask(t, what, nil)
		if got == nil || got.Code != want.code || got.Message != want.name {
			t.Fatalf("%s: %+v, want %+v", what, got, want)
		}
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Project.BringFailed(kerneltest.Failure(got.Code, got.Message))
			n := s.Notices.List()
			if len(n) != 1 || !strings.Contains(n[0].Title, want.name) || !strings.Contains(n[0].Text, want.text) || n[0].Detail != "" {
				t.Errorf("notices %+v", n)
			}
		})
	}
}
