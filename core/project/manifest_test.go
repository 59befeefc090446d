package project

import (
	"encoding/json"
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
		again, err := json.Marshal(m)
		require.NoError(t, err)
		if _, err := ParseManifest(again); err != nil {
			t.Fatalf("written again it is refused: %v", err)
		}
	})
}
