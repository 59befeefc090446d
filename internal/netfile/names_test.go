package netfile

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
)

// file is a file of the network that was found.
func file(f *namedNetwork) *weights.File {
	return &weights.File{
		Source: "found", Tensors: f.Tensors, Meta: weights.Meta{Name: "found", Arch: f.Arch, Widths: f.Widths, Extra: f.Extra, InputSize: f.InputSize},
	}
}

// TestReference: networks under the names of other programs give, behind each block, what
// PyTorch gives, at three sizes each; and their maps are what leaves the last block.
func TestReference(t *testing.T) {
	for _, r := range networktest.References() {
		f, err := findNetwork(r.Weights())
		if err != nil || f == nil {
			t.Fatalf("%s: %v, %v", r.Name, f, err)
		}
		blocks, err := backbone.New(file(f), backbone.Options{})
		if err != nil {
			t.Fatal(err)
		}
		outputs, err := blocks.BlockOutputs(r.Picture(t))
		if err != nil {
			t.Fatal(err)
		}
		r.Check(t, outputs)
		maps, err := blocks.Forward(r.Picture(t))
		if err != nil {
			t.Fatal(err)
		}
		last := outputs[len(outputs)-1].Data
		if !slices.Equal(maps.Data, last[len(last)-len(maps.Data):]) || maps.Shape[3] != blocks.Channels() {
			t.Errorf("%s: the map is not what leaves the last block", r.Name)
		}
	}
}
