package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
)

// usual is what files of version 1 that say nothing meant, and go on meaning.
const usual = "embedder=fcn classifier=prototype weighting=cross-reference solver=simplex temperature=12.5 balance=on strangers=0.4 "

// testdata/methods.json says which method a manifest means, for every reader; that of the
// npm package is held to it, too. What version 1 left out stays what it meant then,
// whatever the defaults become.
func TestMethodsOfManifests(t *testing.T) {
	text, err := os.ReadFile("testdata/methods.json")
	if err != nil {
		t.Fatal(err)
	}
	var table []struct {
		Manifest   map[string]json.RawMessage
		Method     string // what differs from the usual one
		Kind       string // where it differs from the table's, "sound"
		Extensions map[string]any
		Refused    string
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	if len(table) < 30 {
		t.Errorf("only %d manifests", len(table))
	}
	for _, c := range table {
		given, err := json.Marshal(c.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.Replace(string(given), "{", `{"format": "deepemd-project", "kind": "sound", "name": "a", "classes": [], `, 1)
		m, err := ParseManifest([]byte(whole))
		if c.Refused != "" {
			want := map[string]error{"damaged": ErrDamaged, "newer": ErrNewer}[c.Refused]
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", given, err, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		want, err := method.Parse(usual + c.Method)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Method.Equal(want) || m.Version != Version || m.Kind != cmp.Or(c.Kind, KindSound) {
			t.Errorf("%s: version %d, kind %s, %v; want %v", given, m.Version, m.Kind, m.Method, want)
		}
		extensions := map[string]any{}
		for name, raw := range m.Extensions {
			var v any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
			extensions[name] = v
		}
		if len(extensions)+len(c.Extensions) > 0 && !reflect.DeepEqual(extensions, c.Extensions) {
			t.Errorf("%s: extensions %v, want %v", given, extensions, c.Extensions)
		}
	}
}

// What is refused says why.
func TestRefusedManifestsSayWhy(t *testing.T) {
	for manifest, says := range map[string]string{
		`"version": 1, "settings": {"classifier": "magic"}`:   `no classifier "magic"`,
		`"version": 1, "settings": {"temperature": -1}`:       "temperature -1",
		`"version": 1, "settings": {"temperature": "hot"}`:    "settings",
		`"version": 2, "method": {"weighting": "magic"}`:      `no node weights "magic"`,
		`"version": 2, "requires": ["framing"]`:               "framing",
		`"version": 2, "method": {"embedder": {"ratio": -1}}`: "ratio",
	} {
		_, err := ParseManifest([]byte(`{"format": "deepemd-project", "kind": "image", "name": "a", "classes": [], ` + manifest + `}`))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want it to say %q", manifest, err, says)
		}
	}
}
