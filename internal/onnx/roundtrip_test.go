package onnx_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/internal/tensor"

	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/onnx"
)

// changed is a small transformer, changed.
func changed(change func(*weights.File)) *weights.File {
	f := networktest.Transformer()
	change(f)
	return f
}

// second is a MobileNetV2 of torchvision's, whose weights are made up.
func second(t *testing.T) *weights.File {
	t.Helper()
	for _, r := range networktest.References() {
		if r.Name != "MobileNetV2" {
			continue
		}
		n := require.Value(netfile.Complete(&weights.File{Source: r.Name, Tensors: r.Weights()}, r.Name, netfile.Facts{}, false))(t)
		delete(n.Meta.Extra, backbone.KeyGrid)
		return n.File
	}
	t.Fatal("no MobileNetV2 among the references")
	return nil
}

func withRegisters(f *weights.File) {
	f.Tensors["encoder.register_tokens"] = tensor.Of(slices.Clone(f.Tensors["encoder.pos_embed"].Data[:3*128]), 1, 3, 128)
	f.Meta.Extra["positions"] = "antialias"
}

// withoutClass takes LayerScale away, too.
func withoutClass(f *weights.File) {
	delete(f.Tensors, "encoder.cls_token")
	f.Tensors["encoder.pos_embed"] = tensor.Of(f.Tensors["encoder.pos_embed"].Data[128:], 1, 36, 128)
	for name := range f.Tensors {
		if strings.HasSuffix(name, "gamma") {
			delete(f.Tensors, name)
		}
	}
}

// TestRoundTrip: what was written is read again as the network that it was, with its
// facts, and computes the same.
func TestRoundTrip(t *testing.T) {
	for _, f := range []*weights.File{
		small(nil), networktest.Residual(false), networktest.Residual(true), networktest.MobileNet(), second(t),
		networktest.Transformer(), changed(func(f *weights.File) { f.Meta.InputSize = 112 }), changed(withRegisters), changed(withoutClass),
	} {
		var model bytes.Buffer
		require.NoError(t, onnx.Encode(&model, f))
		again, err := onnx.Decode("again", model.Bytes())
		if err != nil {
			t.Error(err)
			continue
		}
		n, err := netfile.Complete(again, "again", netfile.Facts{Grid: backbone.MaxGrid}, false)
		if err != nil {
			t.Error(err)
			continue
		}
		if m := n.Meta; m.Name != f.Meta.Name || m.Arch != f.Meta.Arch || !slices.Equal(m.Widths, f.Meta.Widths) || m.Mean != f.Meta.Mean || len(n.Left) > 0 {
			t.Errorf("%s: facts %+v, left %q", f.Source, m, n.Left)
		}
		maps := func(f *weights.File) []float32 {
			network := require.Value(backbone.New(f, backbone.Options{}))(t)
			out := require.Value(network.Forward(resnettest.Pictures(2, f.Meta.InputSize, 3)))(t)
			return out.Data
		}
		want, got := maps(f), maps(n.File)
		worst, squares := 0.0, 0.0
		for i, v := range want {
			worst = max(worst, math.Abs(float64(got[i]-v)))
			squares += float64(v) * float64(v)
		}
		if worst /= math.Sqrt(squares / float64(len(want))); !(worst <= 1e-5) || len(got) != len(want) {
			t.Errorf("%s: another map, off by %g of the root mean square", f.Source, worst)
		}
	}
}

// TestEncodeRefusesPatches: a size that patches do not divide is refused with one that
// they do, and so are more patches than a network takes.
func TestEncodeRefusesPatches(t *testing.T) {
	for want, change := range map[string]func(*weights.File){
		"give --input-size 98": func(f *weights.File) { f.Meta.InputSize = 100 },
		"has 16384 patches, 8192 is the most": func(f *weights.File) {
			f.Meta.InputSize = 1024
			f.Tensors["encoder.patch_embed.proj.weight"] = tensor.New(128, 3, 8, 8)
		},
	} {
		var out bytes.Buffer
		if err := onnx.Encode(&out, changed(change)); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("error %v, %d bytes, want %q", err, out.Len(), want)
		}
	}
}
