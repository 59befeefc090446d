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
	v := transformer{part: p, tensors: map[string]*tensor.Tensor{}}
	for _, name := range []string{"patch_embed.proj.weight", "patch_embed.proj.bias", "pos_embed"} {
		v.rename(name, name)
	}
	v.moveOptional("cls_token", "cls_token")
	v.moveOptional("register_tokens", "register_tokens")
	v.moveOptional("reg_token", "register_tokens")
	if p["norm.weight"] == nil {
		v.rename("fc_norm.weight", "norm.weight")
		v.rename("fc_norm.bias", "norm.bias")
	} else {
		v.rename("norm.weight", "norm.weight")
		v.rename("norm.bias", "norm.bias")
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		rest, ok := strings.CutPrefix(name, "blocks.")
		if !ok {
			continue
		}
		// The largest models group blocks, numbered continuously: blocks.1.12.norm1.
		fields := strings.Split(rest, ".")
		if len(fields) > 1 && isNumber(fields[1]) {
			fields = fields[1:]
		}
		layer := strings.Join(fields[1:], ".")
		if !known[layer] {
			return nil, fmt.Errorf("the tensor %s belongs to a layer that is not there: blocks may have norm1, attn.qkv, attn.proj, ls1, norm2, mlp.fc1, mlp.fc2 and ls2", name)
		}
		v.rename(name, "blocks."+strings.Join(fields, "."))
	}
	return v.result()
}

// known lists the tensors of a block.
var known = map[string]bool{
	"norm1.weight": true, "norm1.bias": true, "attn.qkv.weight": true, "attn.qkv.bias": true, "attn.proj.weight": true,
	"attn.proj.bias": true, "ls1.gamma": true, "norm2.weight": true, "norm2.bias": true, "mlp.fc1.weight": true, "mlp.fc1.bias": true,
	"mlp.fc2.weight": true, "mlp.fc2.bias": true, "ls2.gamma": true,
}

// torchvision accepts the names of torchvision's vit_b_16 and related models.
func torchvision(p part) (*namedNetwork, error) {
	v := transformer{part: p, tensors: map[string]*tensor.Tensor{}}
	for from, to := range map[string]string{
		"conv_proj.weight": "patch_embed.proj.weight", "conv_proj.bias": "patch_embed.proj.bias", "class_token": "cls_token",
		"encoder.pos_embedding": "pos_embed", "encoder.ln.weight": "norm.weight", "encoder.ln.bias": "norm.bias",
	} {
		v.rename(from, to)
	}
	for i := 0; p[fmt.Sprintf("encoder.layers.encoder_layer_%d.ln_1.weight", i)] != nil; i++ {
		from, to := fmt.Sprintf("encoder.layers.encoder_layer_%d.", i), fmt.Sprintf("blocks.%d.", i)
		v.rename(from+"self_attention.in_proj_weight", to+"attn.qkv.weight")
		v.rename(from+"self_attention.in_proj_bias", to+"attn.qkv.bias")
		layers := map[string]string{"ln_1": "norm1", "ln_2": "norm2", "self_attention.out_proj": "attn.proj", "mlp.0": "mlp.fc1", "mlp.3": "mlp.fc2"}
		if p[from+"mlp.linear_1.weight"] != nil { // before torchvision 0.12
			layers["mlp.linear_1"], layers["mlp.linear_2"] = "mlp.fc1", "mlp.fc2"
			delete(layers, "mlp.0")
			delete(layers, "mlp.3")
		}
		v.layers(from, to, layers)
	}
	return v.result()
}

// huggingFace accepts the names of Hugging Face's ViT and Dinov2.
func huggingFace(p part) (*namedNetwork, error) {
	v := transformer{part: p, tensors: map[string]*tensor.Tensor{}}
	for from, to := range map[string]string{
		"embeddings.patch_embeddings.projection.weight": "patch_embed.proj.weight", "embeddings.patch_embeddings.projection.bias": "patch_embed.proj.bias",
		"embeddings.cls_token": "cls_token", "embeddings.position_embeddings": "pos_embed", "layernorm.weight": "norm.weight", "layernorm.bias": "norm.bias",
	} {
		v.rename(from, to)
	}
	v.moveOptional("embeddings.register_tokens", "register_tokens")
	for i := 0; p[fmt.Sprintf("encoder.layer.%d.attention.attention.query.weight", i)] != nil; i++ {
		from, to := fmt.Sprintf("encoder.layer.%d.", i), fmt.Sprintf("blocks.%d.", i)
		v.join(from+"attention.attention.", to+"attn.qkv")
		layers := map[string]string{
			"layernorm_before": "norm1", "layernorm_after": "norm2", "attention.output.dense": "attn.proj",
			"intermediate.dense": "mlp.fc1", "output.dense": "mlp.fc2",
		}
		if p[from+"norm1.weight"] != nil { // Dinov2
			layers = map[string]string{"norm1": "norm1", "norm2": "norm2", "attention.output.dense": "attn.proj", "mlp.fc1": "mlp.fc1", "mlp.fc2": "mlp.fc2"}
			v.rename(from+"layer_scale1.lambda1", to+"ls1.gamma")
			v.rename(from+"layer_scale2.lambda1", to+"ls2.gamma")
		}
		v.layers(from, to, layers)
	}
	return v.result()
}

// transformer collects the tensors of a vision transformer and keeps the first error.
type transformer struct {
	part
	tensors map[string]*tensor.Tensor
	err     error
}

func (v *transformer) rename(from, to string) {
	t, err := v.require(from)
	if v.err == nil {
		v.err = err
	}
	v.tensors[to] = t
}

// moveOptional is move for optional tensors.
func (v *transformer) moveOptional(from, to string) {
	if v.part[from] != nil {
		v.rename(from, to)
	}
}

func (v *transformer) layers(from, to string, names map[string]string) {
	for old, name := range names {
		v.rename(from+old+".weight", to+name+".weight")
		v.rename(from+old+".bias", to+name+".bias")
	}
}

// join merges the layers of queries, keys and values.
func (v *transformer) join(from, to string) {
	for _, kind := range []string{".weight", ".bias"} {
		if kind == ".bias" && v.part[from+"query.bias"] == nil {
			continue
		}
		var joined *tensor.Tensor
		for _, name := range []string{"query", "key", "value"} {
			t, err := v.require(from + name + kind)
			switch {
			case err != nil:
				v.err = err
				return
			case len(t.Shape) == 0:
				v.err = fmt.Errorf("the tensor %s has no shape", from+name+kind)
				return
			case joined == nil:
				joined = tensor.Of(slices.Clone(t.Data), t.Shape...)
			case !slices.Equal(t.Shape[1:], joined.Shape[1:]):
				v.err = fmt.Errorf("the tensors of queries and of %ss have shapes %v and %v", name, joined.Shape, t.Shape)
				return
			default:
				shape := slices.Clone(joined.Shape)
				shape[0] += t.Shape[0]
				joined = tensor.Of(append(joined.Data, t.Data...), shape...)
			}
		}
		v.tensors[to+kind] = joined
	}
}

func (v *transformer) result() (*namedNetwork, error) {
	if v.err != nil {
		return nil, v.err
	}
	embedding := v.tensors["patch_embed.proj.weight"]
	if !embedding.HasShape(-1, 3, -1, -1) || embedding.Shape[2] < 1 {
		return nil, fmt.Errorf("the patch embedding has shape %v, want [channels 3 side side]", embedding.Shape)
	}
	c, patch := embedding.Shape[0], embedding.Shape[2]
	places := v.tensors["pos_embed"]
	if !places.HasShape(1, -1, c) {
		return nil, fmt.Errorf("the position embeddings have shape %v, want [1 places %d]", places.Shape, c)
	}
	if side := int(math.Sqrt(float64(places.Shape[1]))); v.tensors["cls_token"] != nil && side*side == places.Shape[1] {
		// The class token has no position embedding.
		v.tensors["pos_embed"] = tensor.Of(append(make([]float32, c), places.Data...), 1, places.Shape[1]+1, c)
	}
	way := backbone.Antialias
	if v.tensors["blocks.0.ls1.gamma"] != nil && v.tensors["register_tokens"] == nil {
		way = backbone.Offset // DINOv2
	}
	return &namedNetwork{
		Arch: backbone.ArchViT, Widths: []int{c}, InputSize: max(1, usualSide/patch) * patch,
		Extra:   map[string]string{backbone.KeyHeads: strconv.Itoa(heads(c)), backbone.KeyPositions: way},
		Tensors: v.tensors,
	}, nil
}

// heads returns the number of heads: each has 64 channels, except in ViT-H, where it has 80.
func heads(channels int) int {
	const usual, huge, ofHuge = 64, 1280, 80
	if channels == huge {
		return huge / ofHuge
	}
	return max(1, channels/usual)
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}
