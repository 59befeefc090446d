package backbone_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TestClassTokens: the class token of each image, as the last normalization leaves it,
// is its summary; a network without one has none.
func TestClassTokens(t *testing.T) {
	file := networktest.Transformer()
	n := require.Value(backbone.NewViT(file, backbone.Options{}))(t)
	batch := networktest.Pictures(9, 56, 2)
	require.Value(n.Forward(batch))(t)
	got := tensor.Of(slices.Clone(n.Summaries().Data), n.Summaries().Shape...)
	outputs := require.Value(n.BlockOutputs(batch))(t)
	tokens := outputs[len(outputs)-1]
	if !got.HasShape(9, n.Channels()) {
		t.Fatalf("summaries of shape %v", got.Shape)
	}
	for i := range 9 {
		for c, v := range got.Row(i) {
			if want := tokens.Row(i)[c]; !(math.Abs(float64(v-want)) <= 1e-4) {
				t.Fatalf("picture %d, channel %d: %v, its class token is %v", i, c, v, want)
			}
		}
	}
	delete(file.Tensors, "encoder.cls_token")
	places := file.Tensors["encoder.pos_embed"]
	c := places.Shape[2]
	file.Tensors["encoder.pos_embed"] = tensor.Of(places.Data[c:], 1, places.Shape[1]-1, c)
	n = require.Value(backbone.NewViT(file, backbone.Options{}))(t)
	if _, err := n.Forward(batch); err != nil || n.Summaries() != nil {
		t.Errorf("without a class token: %v, error %v", n.Summaries(), err)
	}
}

// TestViTRefuses: an incomplete network gives an error that names the file and the problem.
func TestViTRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder."+name) }
	}
	shape := func(name string, to ...int) func(*weights.File) {
		return func(f *weights.File) { f.Tensors["encoder."+name] = tensor.New(to...) }
	}
	extra := func(key, value string) func(*weights.File) {
		return func(f *weights.File) { f.Meta.Extra[key] = value }
	}
	for i, test := range []struct {
		want  string
		spoil func(f *weights.File)
	}{
		{"patch_embed.proj.weight", drop("patch_embed.proj.weight")},
		{"patch_embed.proj.bias", drop("patch_embed.proj.bias")},
		{"blocks.1.mlp.fc2.weight", drop("blocks.1.mlp.fc2.weight")},
		{"blocks.0.attn.proj.weight", shape("blocks.0.attn.proj.weight", 128, 64)},
		{"blocks.1.ls2.gamma", shape("blocks.1.ls2.gamma", 3)},
		{"norm.weight", drop("norm.weight")},
		{"no blocks", func(f *weights.File) {
			for name := range f.Tensors {
				if strings.Contains(name, "blocks.") {
					delete(f.Tensors, name)
				}
			}
		}},
		{"pos_embed", shape("pos_embed", 1, 37, 64)},
		{"pos_embed has shape [1 0 128] and no values", shape("pos_embed", 1, 0, 128)},
		{"proj.weight has shape [0 3 14 14] and no values", shape("patch_embed.proj.weight", 0, 3, 14, 14)},
		{"34 position embeddings, want a square", shape("pos_embed", 1, 35, 128)},
		{"a perceptron of 250 channels, want a multiple of 16", shape("blocks.0.mlp.fc1.weight", 250, 128)},
		{"patches of 7×14 pixels, want squares", shape("patch_embed.proj.weight", 128, 3, 14, 7)},
		{`heads "" of 128 channels`, extra(backbone.KeyHeads, "")},
		{`heads "3" of 128 channels`, extra(backbone.KeyHeads, "3")},
		{`heads "16" of 128 channels`, extra(backbone.KeyHeads, "16")},
		{`positions "nearest": want offset or antialias`, extra(backbone.KeyPositions, "nearest")},
		{"widths [64]", func(f *weights.File) { f.Meta.Widths = []int{64} }},
	} {
		f := networktest.Transformer()
		test.spoil(f)
		n, err := backbone.NewViT(f, backbone.Options{})
		if err == nil || n != nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), f.Source) {
			t.Errorf("%d: got %v: want an error that names the file and says %q", i, err, test.want)
		}
	}
	n := require.Value(backbone.NewViT(networktest.Transformer(), backbone.Options{}))(t)
	refuses(t, n, []int{0, 56, 56, 3}, []int{1, 56, 56, 1}, []int{1, 56, 60, 3}, []int{1, 0, 56, 3}, []int{1, 13, 14, 3}, []int{1, 14, 14 * 8193, 3})
	if _, err := n.Forward(tensor.New(1, 100, 100, 3)); err == nil || !strings.Contains(err.Error(), "such as 98") {
		t.Errorf("error %v, want one with a size that fits", err)
	}
}
