package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// ours reports whether what lies in a folder reads nothing but this tree, what it has
// made itself, and what its own programs say: what only tests and developers run.
func ours(folder string) bool {
	return strings.HasPrefix(folder, "internal/") || strings.HasPrefix(folder, "tools/") && !strings.HasPrefix(folder, "tools/deepemd")
}

// elsewhere are the folders that read formats and have no target, each with the reason.
// A folder that no longer belongs here fails the test, too.
var elsewhere = map[string]string{
	"trainer/cluster":                   "reads what other ranks of the same run write",
	"trainer/cluster/internal/mpi":      "reads what other ranks of the same run write",
	"trainer/measure/conformance":       "reads the list of its own reference",
	"trainer/training":                  "reads what other ranks of the same run write; checkpoints by runfolder",
	"trainer/training/internal/reducer": "reads what other ranks of the same run write",
	"trainer/training/job":              "reads what other ranks of the same run write",
	"wasm/engine":                       "runs in JavaScript alone: wasm FuzzRequests asks it",
	"web/internal/browser":              "runs in JavaScript alone: reads JSON that the page's own scripts write",
	"web/internal/studiotest":           "reads what the browser under test saves",
}

// scripts are the scripts that read formats, with the target that tries each, or with
// the reason for none.
var scripts = map[string]string{
	"wasm/npm/zip.js":              "target: wasm FuzzFolders",
	"wasm/npm/project.js":          "target: wasm FuzzProject",
	"wasm/npm/manifest.js":         "target: wasm FuzzManifestOfPage",
	"wasm/npm/parts.js":            "target: wasm FuzzDownload",
	"wasm/npm/progress.js":         "target: wasm FuzzDownload",
	"wasm/npm/unfuse.js":           "target: wasm FuzzUnfused",
	"wasm/npm/element-settings.js": "target: wasm FuzzElement",
	"wasm/npm/esbuild.js":          "reads a name that it has written itself",
	"wasm/npm/gallery-program.js":  "reads the answers of its own program",
	"wasm/npm/wasi.js":             "reads the memory of its own program",
	"wasm/npm/wasm_exec.js":        "is Go's own",
	"web/player/player.js":         "reads parts of its own page; the project among them by project.js",
	"web/static/web/effects.js":    "reads JSON that the page's own program writes",
	"web/static/web/network.js":    "target: web FuzzNetworkHeader",
	"web/static/web/projects.js":   "reads JSON that the page's own program writes; files by project.js",
}

// tree is read once: it takes seconds.
var tree = sync.OnceValues(func() (map[string][]goFile, error) { return goFiles(root) })

// found are the folders with files of Go, and the targets in them.
func found(t *testing.T) (map[string][]goFile, []target) {
	t.Helper()
	folders, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	return folders, targetsIn(folders)
}

// Whoever reads bytes from outside has a fuzz target.
func TestReadersHaveTargets(t *testing.T) {
	folders, all := found(t)
	for _, folder := range sorted(folders) {
		calls := reads(folders[folder])
		has := slices.ContainsFunc(all, func(t target) bool { return t.folder == folder })
		_, excused := elsewhere[folder]
		switch {
		case len(calls) > 0 && !has && !excused && !ours(folder):
			t.Errorf("%s calls %s and has no fuzz target: add one, or a reason to the table elsewhere", folder, strings.Join(calls, ", "))
		case excused && (has || len(calls) == 0):
			t.Errorf("%s has a target now, or reads nothing: remove it from elsewhere", folder)
		}
	}
	for folder := range elsewhere {
		if folders[folder] == nil {
			t.Errorf("%s of elsewhere is not there", folder)
		}
	}
}

// Every target has a budget: a bomb is a failure.
func TestTargetsHaveBudgets(t *testing.T) {
	_, all := found(t)
	for _, target := range all {
		if !target.budgeted {
			t.Errorf("%s does not call bombs.Budget, so that it would take a bomb for fine", target)
		}
	}
}

// No line of a test file begins a target that the command does not find, such as one in
// a file that only another system builds.
func TestTargetsAreComplete(t *testing.T) {
	_, all := found(t)
	names, err := tracked(root, "*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	begins := regexp.MustCompile(`(?m)^func Fuzz\w*\(`)
	lines := 0
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		lines += len(begins.FindAll(text, -1))
	}
	if lines != len(all) || lines < 40 {
		t.Errorf("%d targets are found, and %d lines begin one", len(all), lines)
	}
}

// Scripts that read formats are tried, too.
func TestScriptsHaveTargets(t *testing.T) {
	names, err := tracked(root, "wasm/npm/*.js", "web/static/*.js", "web/player/*.js", "web/shell/*.js", "web/offline/*.js")
	if err != nil {
		t.Fatal(err)
	}
	_, all := found(t)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		why, listed := scripts[name]
		switch reads := script.Match(text); {
		case reads && !listed:
			t.Errorf("%s reads a format (%s) and is not in scripts: add it to a target in Node", name, script.Find(text))
		case listed && !reads:
			t.Errorf("%s reads no format any more: remove it from scripts", name)
		}
		if named, ok := strings.CutPrefix(why, "target: "); ok && !slices.ContainsFunc(all, func(t target) bool { return t.String() == named }) {
			t.Errorf("%s: there is no target %s", name, named)
		}
	}
	for name := range scripts {
		if !slices.Contains(names, name) {
			t.Errorf("%s of scripts is not there", name)
		}
	}
}

// make fuzz runs this command, and so whatever targets there are.
func TestMakeFuzz(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^fuzz:.*\n\tgo run \./tools/fuzz -time \$\(FUZZTIME\)`).Match(text) {
		t.Error("make fuzz does not run go run ./tools/fuzz")
	}
}

func TestRun(t *testing.T) {
	t.Chdir(root)
	var out bytes.Buffer
	if err := run(&out, 1, "core/sound", true); err != nil || out.String() != "core/sound FuzzDecode\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := run(&out, 1, "nothing of this name", true); err == nil || !strings.Contains(err.Error(), "matches none of the") {
		t.Errorf("error %v", err)
	}
	if err := run(&out, 1, "(", true); err == nil {
		t.Error("( is taken for a regular expression")
	}
}

func TestSummary(t *testing.T) {
	for out, want := range map[string]string{
		"fuzz: elapsed: 3s, execs: 12 (4/sec), new interesting: 1 (total: 3)\nfuzz: elapsed: 6s, execs: 3400 (9/sec), new interesting: 2 (total: 4)\nPASS\n": "     3400 inputs, 2 of them new",
		"ok \t x\t0.1s\n": "skipped: ok x 0.1s",
	} {
		if got := summary(out); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
