package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// sample returns a two-class manifest.
func sample() *Manifest {
	m := &Manifest{
		Kind: KindImage, Name: "Cups & pens", Method: method.Default(),
		Preprocess: &Preprocess{Size: 6, Std: [3]float32{0.2, 0.2, 0.2}},
		Classes: []Class{
			{ID: "class-1", Label: "cup", Examples: []Example{{ID: "example-3"}, {ID: "example-4"}}},
			{ID: "class-2", Label: "Füller", Hue: 3, Disabled: true, Examples: []Example{{ID: "example-9"}}},
		},
	}
	m.Stamp()
	return m
}

func FuzzManifest(f *testing.F) {
	m := sample()
	text := require.Value(json.Marshal(m))(f)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var m Manifest
		var err error
		// An example of thirty bytes takes a few hundred in growing slices.
		bombs.Budget(t, 1<<20, 512, len(text), func() { m, err = ParseManifest(text) })
		if err != nil {
			return
		}
		again := require.Value(json.Marshal(m))(t)
		if _, err := ParseManifest(again); err != nil {
			t.Fatalf("written again it is refused: %v", err)
		}
	})
}

// testdata/methods.json lists manifests with their methods, for all readers: the npm package's
// reader is tested with it, too.
func TestMethodsOfManifests(t *testing.T) {
	text := require.Value(os.ReadFile("testdata/methods.json"))(t)
	var table []struct {
		Manifest   map[string]json.RawMessage
		Method     string // differences from the default
		Kind       string // "sound" if not the table's
		Extensions map[string]any
		Refused    string
	}
	require.NoError(t, json.Unmarshal(text, &table))
	if len(table) < 15 {
		t.Errorf("only %d manifests", len(table))
	}
	for _, c := range table {
		given := require.Value(json.Marshal(c.Manifest))(t)
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
		want := require.Value(method.Parse(c.Method))(t)
		if !m.Method.Equal(want) || m.Version != Version || m.Kind != cmp.Or(c.Kind, KindSound) {
			t.Errorf("%s: version %d, kind %s, %v; want %v", given, m.Version, m.Kind, m.Method, want)
		}
		extensions := map[string]any{}
		for name, raw := range m.Extensions {
			var v any
			require.NoError(t, json.Unmarshal(raw, &v))
			extensions[name] = v
		}
		if len(extensions)+len(c.Extensions) > 0 && !reflect.DeepEqual(extensions, c.Extensions) {
			t.Errorf("%s: extensions %v, want %v", given, extensions, c.Extensions)
		}
	}
}

// Errors name the reason.
func TestRefusedManifestsSayWhy(t *testing.T) {
	for manifest, says := range map[string]string{
		`"version": 1, "method": {}`:                          "version 1",
		`"version": 2, "method": {"temperature": "hot"}`:      "temperature",
		`"version": 2, "method": {"temperature": -1}`:         "temperature -1",
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

// A manifest with a background class requires once a reader that supports them; other requirements stay.
func TestStamp(t *testing.T) {
	m := Manifest{Requires: []string{"framing"}, Classes: []Class{{ID: "a"}, {ID: "b", Nothing: true}}}
	for range 2 {
		if m.Stamp(); !slices.Equal(m.Requires, []string{"framing", RequiresNothing}) || m.Format != Format || m.Version != Version {
			t.Errorf("%+v", m)
		}
	}
	m.Classes = m.Classes[:1]
	if m.Stamp(); !slices.Equal(m.Requires, []string{"framing"}) {
		t.Errorf("without a background class it requires %q", m.Requires)
	}
}

// Values at a limit are valid; values beyond it and duplicates are refused with the reason.
func TestLimitsOfManifests(t *testing.T) {
	classes := func(n int) (list []Class) {
		for i := range n {
			list = append(list, Class{ID: strconv.Itoa(i)})
		}
		return list
	}
	examples := func(n int) (list []Example) {
		for i := range n {
			list = append(list, Example{ID: strconv.Itoa(i)})
		}
		return list
	}
	long := strings.Repeat("x", method.MaxText+1)
	network := func(nodes, channels int) *Network { return &Network{Nodes: nodes, Channels: channels} }
	std := [3]float32{1, 1, 1}
	for _, c := range []struct {
		change func(m *Manifest)
		says   string // "" if valid
	}{
		{func(m *Manifest) { m.Classes = classes(MaxClasses) }, ""},
		{func(m *Manifest) { m.Classes = classes(MaxClasses + 1) }, "classes: want at most"},
		{func(m *Manifest) { m.Classes[0].Examples, m.Classes[1].Examples = examples(MaxExamples), nil }, ""},
		{func(m *Manifest) { m.Classes[0].Examples = examples(MaxExamples) }, "examples: want at most"},
		{func(m *Manifest) { m.Classes[1].ID = "" }, `class id "" is empty`},
		{func(m *Manifest) { m.Classes[1].ID = m.Classes[0].ID }, `class id "class-1" is empty or duplicate`},
		{func(m *Manifest) { m.Classes[1].Label = long }, "label of a class"},
		{func(m *Manifest) { m.Classes[1].Examples[0].ID = "" }, `example id "" is empty`},
		{func(m *Manifest) { m.Classes[1].Examples[0].ID = "example-4" }, `example id "example-4" is empty or duplicate`},
		{func(m *Manifest) { m.Classes[1].Examples[0].Picture = long }, "name of a picture"},
		{func(m *Manifest) { m.Classes[0].Examples[0].Picture, m.Classes[1].Examples[0].Picture = "a", "b" }, ""},
		{func(m *Manifest) { m.Classes[0].Examples[0].Picture, m.Classes[1].Examples[0].Picture = "a", "a" }, `the picture "a"`},
		{func(m *Manifest) { m.Preprocess = nil }, ""},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: 1, Std: std} }, ""},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: MaxSide, Resize: MaxSide, Std: std} }, ""},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: 0, Std: std} }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: MaxSide + 1, Std: std} }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: 1, Resize: -1, Std: std} }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess = &Preprocess{Size: 1, Resize: MaxSide + 1, Std: std} }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess.Std[0] = 0 }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess.Std[1] = 0 }, "preprocessing"},
		{func(m *Manifest) { m.Preprocess.Std[2] = 0 }, "preprocessing"},
		{func(m *Manifest) { m.Kind, m.Network = KindFeatures, network(1, 1) }, ""},
		{func(m *Manifest) { m.Kind = KindFeatures }, "network"},
		{func(m *Manifest) { m.Network = network(method.MaxNodes, method.MaxChannels) }, ""},
		{func(m *Manifest) { m.Network = network(0, 1) }, "embeddings of 0×1"},
		{func(m *Manifest) { m.Network = network(method.MaxNodes+1, 1) }, "embeddings of"},
		{func(m *Manifest) { m.Network = network(1, 0) }, "embeddings of 1×0"},
		{func(m *Manifest) { m.Network = network(1, method.MaxChannels+1) }, "embeddings of"},
		{func(m *Manifest) { m.Network = network(1, 1); m.Network.Name = long }, "name of the network"},
		{func(m *Manifest) { m.Network = network(1, 1); m.Network.Embedder.Kind = "eye" }, "network: "},
	} {
		m := sample()
		c.change(m)
		switch err := m.Validate(); {
		case c.says == "" && err != nil:
			t.Error(err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%v, want it to say %q", err, c.says)
		}
	}
	for text, want := range map[string]error{
		"{\"name\": \"\xff\"}":                  ErrDamaged, // not UTF-8
		"{":                                     ErrDamaged,
		`{"format": "doodles", "classes": 7}`:   ErrForeign,
		`{"format": "doodles", "kind": "image"`: ErrDamaged,
	} {
		if _, err := ParseManifest([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}
