package main

import (
	"os"
	"path/filepath"
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
