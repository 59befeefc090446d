package onnx_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"

	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/onnx"
)

// golden is PyTorch's output: every Stride-th value of the last map [1 h w C], or of the last
// tokens [1 n C], including the tokens before the patches.
type golden struct {
	Size, Stride int
	Shape        []int
	RMS          float64
	Values       []float32
}

func goldens(t *testing.T) map[string]golden {
	t.Helper()
	raw := require.Value(os.ReadFile("testdata/maps.json"))(t)
	var all map[string]golden
	require.NoError(t, json.Unmarshal(raw, &all))
	return all
}

// model reads a file of testdata.
func model(t testing.TB, name string) []byte {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join("testdata", name+".onnx")))(t)
	return data
}

// TestMaps: models of torch.onnx.export, with folded and renamed weights, give PyTorch's output.
func TestMaps(t *testing.T) {
	for name, want := range goldens(t) {
		f, err := onnx.Decode(name, model(t, name))
		if err != nil {
			t.Error(err)
			continue
		}
		n, err := netfile.Complete(f, name, netfile.Facts{Grid: backbone.MaxGrid}, false)
		if err != nil {
			t.Error(err)
			continue
		}
		network, err := backbone.New(n.File, backbone.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		r := networktest.Reference{Height: want.Size, Width: want.Size}
		got, err := network.Forward(r.Picture(t))
		if err != nil {
			t.Error(err)
			continue
		}
		worst, first := 0.0, tensor.Len(want.Shape)-len(got.Data)
		for i, v := range want.Values {
			if at := i*want.Stride - first; at >= 0 {
				worst = max(worst, math.Abs(float64(got.Data[at]-v)))
			}
		}
		if first < 0 || len(want.Shape) == 4 && !slices.Equal(got.Shape, want.Shape) || !(worst <= 1e-4*want.RMS) {
			t.Errorf("%s: a map %v of %v, off by %.2g of the root mean square", name, got.Shape, want.Shape, worst/want.RMS)
		}
		t.Logf("%s: off by %.1g of the root mean square", name, worst/want.RMS)
	}
}

// TestOwnMemory: weights that the file has once for many layers are each layer's own, as
// training and averaging change them in place.
func TestOwnMemory(t *testing.T) {
	f := require.Value(onnx.Decode("vit", model(t, "vit")))(t)
	first, second := f.Tensors["blocks.0.norm1.weight"], f.Tensors["norm.weight"]
	if !slices.Equal(first.Data, second.Data) {
		t.Fatal("the file does not share them")
	}
	first.Data[0]++
	if first.Data[0] == second.Data[0] {
		t.Error("two layers have the same memory")
	}
}

// TestHeads: the graph determines the number of heads. Weights outside the backbone keep their
// names.
func TestHeads(t *testing.T) {
	for name, left := range map[string][]string{"vit": {"heads.head.bias", "heads.head.weight"}, "registers": {"head.bias", "head.weight"}} {
		f := require.Value(onnx.Decode(name, model(t, name)))(t)
		if want := map[string]string{"heads": "2"}; !reflect.DeepEqual(f.Meta.Extra, want) {
			t.Errorf("%s: facts %v, want %v", name, f.Meta.Extra, want)
		}
		n := require.Value(netfile.Complete(f, name, netfile.Facts{}, false))(t)
		if !slices.Equal(n.Left, left) {
			t.Errorf("%s: left %q, want %q", name, n.Left, left)
		}
	}
}
