package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The reference is of all that the package exports, the engine first.
func TestEntries(t *testing.T) {
	folder := t.TempDir()
	manifest := `{ "types": "./main.d.ts", "exports": {
		".": { "types": "./main.d.ts", "default": "./main.js" }, "./element": { "types": "./element.d.ts" }, "./element.js": { "types": "./element.d.ts" },
		"./a": { "types": "./a.d.ts" }, "./main.wasm": "./main.wasm" } }`
	if err := os.WriteFile(filepath.Join(folder, "package.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := entries(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"main.d.ts", "a.d.ts", "element.d.ts"}
	if len(got) != len(want) {
		t.Fatalf("entries %v", got)
	}
	for i, name := range want {
		if got[i] != filepath.Join(folder, name) {
			t.Errorf("entry %d is %s, want %s", i, got[i], name)
		}
	}
}

// A symbol without a comment fails, a member of a type without a name does not.
func TestComplain(t *testing.T) {
	const said = "\x1b[93m[warning]\x1b[0m a.B.__type.c (Property), defined in a.d.ts, does not have any documentation\n" +
		"\x1b[96m[info]\x1b[0m html generated at ./out\n\x1b[93m[warning]\x1b[0m Found 0 errors and 1 warnings\n"
	if err := complain(said); err != nil {
		t.Error(err)
	}
	err := complain(said + "\x1b[93m[warning]\x1b[0m a.B.c (Method), defined in a.d.ts, does not have any documentation\n")
	if err == nil || !strings.Contains(err.Error(), "a.B.c (Method)") || strings.Contains(err.Error(), "__type") {
		t.Errorf("error %v", err)
	}
}

// Of the protocol's types the package exports also those that exported ones are made of:
// the reference fails without.
func TestExportedTypesAreWhole(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(npm), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	types := read("deepemd.d.ts")
	list := regexp.MustCompile(`(?m)^export type \{ (.*) \};$`).FindStringSubmatch(types)
	if list == nil {
		t.Fatal("deepemd.d.ts no longer exports a list of types")
	}
	exported := strings.Split(list[1], ", ")
	for _, own := range regexp.MustCompile(`(?m)^export (?:type|interface|class) (\w+)`).FindAllStringSubmatch(types, -1) {
		exported = append(exported, own[1])
	}
	other := map[string]string{"Reviewed": "Review"} // names that the package gives
	interfaces := regexp.MustCompile(`(?ms)^export interface (\w+)[^{]*\{$(.*?)^\}`).FindAllStringSubmatch(read("protocol.d.ts"), -1)
	named := func(name string) string {
		if to, ok := other[name]; ok {
			return to
		}
		return name
	}
	looked := 0
	for _, i := range interfaces {
		if !slices.Contains(exported, named(i[1])) {
			continue
		}
		looked++
		for _, part := range interfaces {
			if regexp.MustCompile(`(?m)^ .*: .*\b`+part[1]+`\b`).MatchString(i[2]) && !slices.Contains(exported, named(part[1])) {
				t.Errorf("%s has a %s, which deepemd.d.ts does not export", i[1], part[1])
			}
		}
	}
	if looked < 10 {
		t.Errorf("only %d interfaces of the protocol are exported: are they written otherwise now?", looked)
	}
}
