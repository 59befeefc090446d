//go:build !js

package wasm_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// TestTypes compiles the programs of testdata/types, which use the package as npm installs
// it, and checks the code of the package against its own types, all under --strict.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no TypeScript compiler is fetched")
	}
	tsc := nodetest.TypeScript(t)
	dir := t.TempDir()
	source, installed := filepath.Join(dir, "source"), filepath.Join(dir, "node_modules", "deepemd")
	copied(t, "npm/*.*s", source)
	copied(t, "npm/package.json", source)
	copied(t, "npm/*.d.ts", installed)
	copied(t, "npm/package.json", installed)
	copied(t, "testdata/types/*.ts", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{ "type": "module" }`), 0o644))
	const page, strict, node = " --lib es2022,dom,dom.iterable", " --exactOptionalPropertyTypes --noUncheckedIndexedAccess", " --module nodenext"
	programs := " " + strings.Join(programsOfPages(t), " ")
	for _, c := range []struct {
		name, folder, args string
	}{
		{"programs", dir, node + page + strict + programs},
		{"programs for bundlers", dir, "--module esnext --moduleResolution bundler --lib esnext,dom,dom.iterable" + strict + programs},
		{"program for node", dir, node + " --lib es2022" + strict + " node.ts --types node --typeRoots " + nodetest.NodeTypes(t)},
		{"page", source, node + page + " --allowJs --checkJs " + strings.Join(scriptsOfPages(t), " ")},
		// A program is compiled without the DOM's library; our scripts, which share some with pages, with it.
		{"node", source, node + page + " --allowJs --checkJs " + strings.Join(scriptsOfNode(t), " ") + " --types node --typeRoots " + nodetest.NodeTypes(t)},
		// The types name elements of pages, which workers do not know.
		{"worker", source, node + " --lib es2022,webworker --skipLibCheck --allowJs --checkJs platform.js " + strings.Join(scriptsOfWorkers, " ")},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(tsc, append(strings.Fields("--noEmit --strict --target es2022"), strings.Fields(c.args)...)...)
			cmd.Dir = c.folder
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// copied puts files into a folder.
func copied(t *testing.T, pattern, to string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	require.NoError(t, os.MkdirAll(to, 0o755))
	for _, from := range paths {
		data := require.Value(os.ReadFile(from))(t)
		require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(from)), data, 0o644))
	}
}

// programsOfPages lists the programs of testdata/types that pages run.
func programsOfPages(t *testing.T) []string {
	t.Helper()
	paths := require.Value(filepath.Glob("testdata/types/*.ts"))(t)
	var names []string
	for _, path := range paths {
		if name := filepath.Base(path); name != "node.ts" {
			names = append(names, name)
		}
	}
	return names
}

// typesOfFrameworks are compiled with their frameworks, in web/internal/tests/embed.
var typesOfFrameworks = []string{"./react", "./vue", "./svelte", "./esbuild"}

// TestTypesAreUsed: of each entry of the package the program of its name in
// testdata/types uses every call, every member and every type.
func TestTypesAreUsed(t *testing.T) {
	data := require.Value(os.ReadFile("npm/package.json"))(t)
	var manifest struct{ Exports map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(data, &manifest))
	entries := map[string]bool{}
	for entry, files := range manifest.Exports {
		var types struct{ Types string }
		if json.Unmarshal(files, &types) == nil && types.Types != "" && !slices.Contains(typesOfFrameworks, entry) {
			entries[strings.TrimSuffix(filepath.Base(types.Types), ".d.ts")] = true
		}
	}
	if !entries["deepemd"] || !entries["project"] || !entries["node"] {
		t.Errorf("package.json has types of %v: are its exports read rightly?", entries)
	}
	for entry := range entries {
		t.Run(entry, func(t *testing.T) {
			program, err := os.ReadFile(filepath.Join("testdata", "types", entry+".ts"))
			if err != nil {
				t.Fatalf("deepemd/%s has no program that uses it: %v", entry, err)
			}
			used := map[string]bool{}
			for _, word := range regexp.MustCompile(`[\w.]+`).FindAllString(comments.ReplaceAllString(string(program), ""), -1) {
				for _, name := range strings.Split(word, ".") {
					used[name] = true
				}
			}
			declared, err := os.ReadFile(filepath.Join("npm", entry+".d.ts"))
			require.NoError(t, err)
			names := public(string(declared))
			if len(names) == 0 {
				t.Error("the types declare nothing")
			}
			for _, name := range names {
				if !used[name[strings.Index(name, ".")+1:]] {
					t.Errorf("testdata/types/%s.ts does not use %s", entry, name)
				}
			}
		})
	}
}

var (
	comments    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	declaration = regexp.MustCompile(`^export (?:declare )?(?:abstract )?(class|interface|function|const|type) (\w+)`)
	member      = regexp.MustCompile(`^  (?:static |readonly |get |set )*(\w+|\[Symbol\.\w+\])\??[(:<]`)
)

// internal are types that are exported for the package's own scripts.
var internal = []string{"Picture", "Message"}

// public lists the declared names, and members as "Class.member".
func public(types string) []string {
	var names []string
	owner := ""
	for line := range strings.Lines(comments.ReplaceAllString(types, "")) {
		switch m := declaration.FindStringSubmatch(line); {
		case m != nil:
			owner = ""
			if slices.Contains(internal, m[2]) {
				continue
			}
			names = append(names, m[2])
			if m[1] == "class" || m[1] == "interface" {
				owner = m[2] + "."
			}
		case strings.HasPrefix(line, "}"):
			owner = ""
		case owner != "":
			if m := member.FindStringSubmatch(line); m != nil && m[1] != "constructor" {
				names = append(names, owner+strings.TrimSuffix(strings.TrimPrefix(m[1], "[Symbol."), "]"))
			}
		}
	}
	return names
}

// scriptsOfWorkers run in workers only; platform.js does in both.
var scriptsOfWorkers = []string{"worker.js", "download.js", "frames.js", "program.js", "reply.js", "pool.js", "unfuse.js", "gallery-worker.js", "gallery-program.js", "gallery-file.js"}

// scriptsOfPages lists the package's other scripts that are ours.
func scriptsOfPages(t *testing.T) []string {
	t.Helper()
	paths := require.Value(filepath.Glob("npm/*.js"))(t)
	var names []string
	for _, path := range paths {
		if name := filepath.Base(path); name != "wasm_exec.js" && name != "esbuild.js" && !strings.HasPrefix(name, "node") && !slices.Contains(scriptsOfWorkers, name) {
			names = append(names, name)
		}
	}
	return names
}

// scriptsOfNode lists the scripts that only Node runs.
func scriptsOfNode(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("npm/node*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts for Node: %v", err)
	}
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	return append(names, "esbuild.js")
}
