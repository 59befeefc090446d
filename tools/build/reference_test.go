package main

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestReferenceCoversTheExports checks that TypeDoc reads the types of every export of the
// JavaScript package.
func TestReferenceCoversTheExports(t *testing.T) {
	read := func(name string, into any) {
		text := require.Value(os.ReadFile(name))(t)
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var typedoc struct{ EntryPoints []string }
	read("../docs/typedoc.json", &typedoc)
	var manifest struct{ Exports map[string]json.RawMessage }
	read("../../wasm/npm/package.json", &manifest)
	covered := 0
	for name, export := range manifest.Exports {
		var conditions struct{ Types string }
		if json.Unmarshal(export, &conditions) != nil || conditions.Types == "" {
			continue
		}
		covered++
		if entry := "../../wasm/npm/" + conditions.Types[len("./"):]; !slices.Contains(typedoc.EntryPoints, entry) {
			t.Errorf("%s of the package has types, and tools/docs/typedoc.json lacks %s", name, entry)
		}
	}
	if covered < len(typedoc.EntryPoints) {
		t.Errorf("%d exports with types, %d entry points", covered, len(typedoc.EntryPoints))
	}
}
