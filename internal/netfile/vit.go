package netfile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// usualSide is the input of a live page in pixels: eight patches of 14 across, or seven of 16.
const usualSide = 112

// timm accepts the names of DINOv2 and timm, which package backbone uses too.
func timm(p part) (*namedNetwork, error) {
	tensors := map[string]*tensor.Tensor{}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		to := outside[name]
		if rest, ok := strings.CutPrefix(name, "blocks."); ok {
			// The largest models group blocks, numbered continuously: blocks.1.12.norm1.
			fields := strings.Split(rest, ".")
			if len(fields) > 1 {
				if _, err := strconv.Atoi(fields[1]); err == nil {
					fields = fields[1:]
				}
			}
			if !known[strings.Join(fields[1:], ".")] {
				return nil, fmt.Errorf("the tensor %s belongs to a layer that is not there: blocks may have norm1, attn.qkv, attn.proj, ls1, norm2, mlp.fc1, mlp.fc2 and ls2", name)
			}
			to = "blocks." + strings.Join(fields, ".")
		}
		if to != "" && (to == name || p[to] == nil) {
			tensors[to] = p.remove(name)
		}
	}
	for _, name := range []string{"patch_embed.proj.weight", "patch_embed.proj.bias", "pos_embed", "norm.weight", "norm.bias"} {
		if tensors[name] == nil {
			return nil, fmt.Errorf("no tensor %s: it has %s", name, listSome(tensors))
		}
	}
	embedding, places := tensors["patch_embed.proj.weight"], tensors["pos_embed"]
	if !embedding.HasShape(-1, 3, -1, -1) || embedding.Shape[2] < 1 {
		return nil, fmt.Errorf("the patch embedding has shape %v, want [channels 3 side side]", embedding.Shape)
	}
	c, patch := embedding.Shape[0], embedding.Shape[2]
	if !places.HasShape(1, -1, c) {
		return nil, fmt.Errorf("the position embeddings have shape %v, want [1 places %d]", places.Shape, c)
	}
	if side := int(math.Sqrt(float64(places.Shape[1]))); tensors["cls_token"] != nil && side*side == places.Shape[1] {
		// The class token has no position embedding.
		tensors["pos_embed"] = tensor.Of(append(make([]float32, c), places.Data...), 1, places.Shape[1]+1, c)
	}
	way := backbone.Antialias
	if tensors["blocks.0.ls1.gamma"] != nil && tensors["register_tokens"] == nil {
		way = backbone.Offset
	}
	return &namedNetwork{
		Arch: backbone.ArchViT, Widths: []int{c}, InputSize: max(1, usualSide/patch) * patch,
		Extra:   map[string]string{backbone.KeyHeads: strconv.Itoa(heads(c)), backbone.KeyPositions: way},
		Tensors: tensors,
	}, nil
}

// outside maps the tensors outside of the blocks to package backbone's names.
var outside = map[string]string{
	"patch_embed.proj.weight": "patch_embed.proj.weight", "patch_embed.proj.bias": "patch_embed.proj.bias", "pos_embed": "pos_embed",
	"cls_token": "cls_token", "register_tokens": "register_tokens", "reg_token": "register_tokens",
	"norm.weight": "norm.weight", "norm.bias": "norm.bias", "fc_norm.weight": "norm.weight", "fc_norm.bias": "norm.bias",
}

// known lists the tensors of a block.
var known = map[string]bool{
	"norm1.weight": true, "norm1.bias": true, "attn.qkv.weight": true, "attn.qkv.bias": true, "attn.proj.weight": true,
	"attn.proj.bias": true, "ls1.gamma": true, "norm2.weight": true, "norm2.bias": true, "mlp.fc1.weight": true, "mlp.fc1.bias": true,
	"mlp.fc2.weight": true, "mlp.fc2.bias": true, "ls2.gamma": true,
}

// torchvision accepts the names of torchvision's vit_b_16 and related models; mlp.linear_1 and
// mlp.linear_2 are from before version 0.12.
var torchvision = renamed(strings.NewReplacer(
	"conv_proj.", "patch_embed.proj.", "class_token", "cls_token", "encoder.pos_embedding", "pos_embed", "encoder.ln.", "norm.",
	"encoder.layers.encoder_layer_", "blocks.", "ln_1", "norm1", "ln_2", "norm2", "self_attention.in_proj_", "attn.qkv.",
	"self_attention.out_proj", "attn.proj", "mlp.0", "mlp.fc1", "mlp.3", "mlp.fc2", "mlp.linear_1", "mlp.fc1", "mlp.linear_2", "mlp.fc2",
))

// huggingFace accepts the names of Hugging Face's ViT and Dinov2.
var huggingFace = renamed(strings.NewReplacer(
	"embeddings.patch_embeddings.projection", "patch_embed.proj", "embeddings.cls_token", "cls_token",
	"embeddings.position_embeddings", "pos_embed", "embeddings.register_tokens", "register_tokens", "layernorm.", "norm.",
	"encoder.layer.", "blocks.", "layernorm_before", "norm1", "layernorm_after", "norm2", "attention.attention.", "attn.",
	"attention.output.dense", "attn.proj", "layer_scale1.lambda1", "ls1.gamma", "layer_scale2.lambda1", "ls2.gamma",
	"intermediate.dense", "mlp.fc1", "output.dense", "mlp.fc2",
))

// renamed returns a function that accepts names which the replacer turns into timm's, also with
// separate layers of queries, keys and values.
func renamed(names *strings.Replacer) func(part) (*namedNetwork, error) {
	return func(p part) (*namedNetwork, error) {
		translated, from := part{}, map[string]string{}
		for name, t := range p {
			to := names.Replace(name)
			translated[to], from[to] = t, name
		}
		for name := range from {
			if layer, kind, ok := strings.Cut(name, "attn.query."); ok {
				if err := translated.join(layer+"attn.", kind); err != nil {
					return nil, err
				}
			}
		}
		f, err := timm(translated)
		for to, name := range from {
			if translated[to] == nil {
				delete(p, name)
			}
		}
		return f, err
	}
}

// join merges the weights or biases of queries, keys and values.
func (p part) join(at, kind string) error {
	var joined *tensor.Tensor
	for _, layer := range []string{"query.", "key.", "value."} {
		t, err := p.require(at + layer + kind)
		switch {
		case err != nil:
			return err
		case len(t.Shape) == 0:
			return fmt.Errorf("the tensor %s has no shape", at+layer+kind)
		case joined == nil:
			joined = tensor.Of(slices.Clone(t.Data), t.Shape...)
		case !slices.Equal(t.Shape[1:], joined.Shape[1:]):
			return fmt.Errorf("the tensors %squery.%s and %s%s%s have shapes %v and %v", at, kind, at, layer, kind, joined.Shape, t.Shape)
		default:
			shape := slices.Clone(joined.Shape)
			shape[0] += t.Shape[0]
			joined = tensor.Of(append(joined.Data, t.Data...), shape...)
		}
	}
	p[at+"qkv."+kind] = joined
	return nil
}

// heads returns the number of heads: each has 64 channels, except in ViT-H, where it has 80.
func heads(channels int) int {
	const usual, huge, ofHuge = 64, 1280, 80
	if channels == huge {
		return huge / ofHuge
	}
	return max(1, channels/usual)
}
