package gallery

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
)

// TestFlatPictures: what a network that did not run makes of a picture is in no index.
func TestFlatPictures(t *testing.T) {
	for name, values := range map[string][]float32{"zero": {0, 0, 0, 0}, "the same": {3, 3, 3, 3}, "by node": {1, 1, 2, 2}} {
		w, err := NewWriter(new(bytes.Buffer), about())
		if err != nil {
			t.Fatal(err)
		}
		err = w.Add("dark.png", "", &embed.Set{N: 2, C: 2, Data: values})
		if !errors.Is(err, embed.ErrFlat) || !strings.HasPrefix(err.Error(), "dark.png: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestFeaturesThatAreNoNumbers refuses an index with the right sums over features that
// are no numbers, among which none would be found.
func TestFeaturesThatAreNoNumbers(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		var file bytes.Buffer
		w, err := NewWriter(&file, about())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b", "c"} {
			if err := w.Add(name, "", &embed.Set{N: 1, C: 3, Data: []float32{1, 2, 3}}); err != nil {
				t.Fatal(err)
			}
		}
		binary.LittleEndian.PutUint32(w.globals[4*5:], math.Float32bits(float32(v)))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len())); !errors.Is(err, ErrDamaged) {
			t.Errorf("%g among the features: error %v", v, err)
		}
	}
}
