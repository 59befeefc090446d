// Command docs makes the reference of the JavaScript package out of its types, with
// TypeDoc, into build/docs/reference, from where tools/build takes it into the site. It
// fails when a symbol that users see has no comment. TypeDoc is installed by npm, as
// package-lock.json says, into build/docs/tool; without npm the command says so and
// makes nothing.
//
//	go run ./tools/docs
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// npm is the package whose types the reference is made of.
const npm = "wasm/npm"

func main() {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Println("No npm here: the reference of the JavaScript package is left out. Install nodejs and npm to make it.")
		return
	}
	root, err := moduleRoot()
	if err == nil {
		err = reference(root, filepath.Join(root, "build", "docs"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}

// reference installs TypeDoc into the folder tool of out, and makes the folder reference
// there.
func reference(root, out string) error {
	tool := filepath.Join(out, "tool")
	if err := install(filepath.Join(root, "tools", "docs"), tool); err != nil {
		return err
	}
	types, err := entries(filepath.Join(root, filepath.FromSlash(npm)))
	if err != nil {
		return err
	}
	// What the compiler reads, and how.
	config, err := json.MarshalIndent(map[string]any{
		"files": types,
		"compilerOptions": map[string]any{
			"strict": true, "noEmit": true, "skipLibCheck": true, "types": []string{},
			"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "lib": []string{"es2022", "esnext.disposable", "dom", "dom.iterable"},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	project := filepath.Join(tool, "tsconfig.json")
	if err := os.WriteFile(project, config, 0o644); err != nil {
		return err
	}
	args := []string{"--options", filepath.Join(tool, "typedoc.json"), "--tsconfig", project, "--out", filepath.Join(out, "reference"),
		"--favicon", filepath.Join(root, "web", "static", "web", "icon.svg")}
	for _, entry := range types {
		args = append(args, "--entryPoints", entry)
	}
	said, err := exec.Command(filepath.Join(tool, "node_modules", ".bin", "typedoc"), args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("typedoc: %w\n%s", err, said)
	}
	return complain(string(said))
}

var (
	// warning is a line of what TypeDoc says, without its colours.
	warning = regexp.MustCompile(`\[warning\]\S* (.+)`)
	// inline is a member of a type without a name, which the comment of the whole explains.
	inline = regexp.MustCompile(`\.__type\.|^Found \d+ errors`)
)

// complain returns an error that lists TypeDoc's warnings: symbols without a comment, links
// that lead nowhere, types that are used but not exported.
func complain(said string) error {
	var problems []string
	for _, match := range warning.FindAllStringSubmatch(said, -1) {
		if !inline.MatchString(match[1]) {
			problems = append(problems, match[1])
		}
	}
	if len(problems) > 0 {
		return fmt.Errorf("the types of %s:\n%s", npm, strings.Join(problems, "\n"))
	}
	return nil
}

// install has npm put the locked versions of what package.json names into a folder.
func install(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	changed := false
	for _, name := range []string{"package.json", "package-lock.json", "typedoc.json"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		before, _ := os.ReadFile(filepath.Join(to, name))
		changed = changed || name != "typedoc.json" && string(before) != string(data)
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(to, "node_modules", ".bin", "typedoc")); err == nil && !changed {
		return nil
	}
	return run(to, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
}

// entries lists the files of types that the package exports, the main one first.
func entries(folder string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Types   string
		Exports map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	var names []string
	for _, export := range manifest.Exports {
		var conditions struct{ Types string }
		// An export that is a name has no types.
		if json.Unmarshal(export, &conditions) == nil && conditions.Types != "" && !slices.Contains(names, conditions.Types) {
			names = append(names, conditions.Types)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if a == manifest.Types || b == manifest.Types {
			return map[bool]int{true: -1, false: 1}[a == manifest.Types]
		}
		return strings.Compare(a, b)
	})
	if len(names) == 0 {
		return nil, fmt.Errorf("%s exports no types", filepath.Join(folder, "package.json"))
	}
	for i, name := range names {
		names[i] = filepath.Join(folder, filepath.FromSlash(name))
	}
	return names, nil
}

// run runs a program and shows what it says.
func run(folder, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return nil
}

// moduleRoot is the folder of the module that the command runs in.
func moduleRoot() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(mod))), nil
}
