package backbone

import (
	"fmt"
	"math"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Keys of the metadata that only vision transformers have.
const (
	// KeyHeads is the number of heads of each attention, which no tensor tells.
	KeyHeads = "heads"
	// KeyPositions says how the embeddings of positions were resampled in training: see
	// Offset and Antialias.
	KeyPositions = "positions"
)

// vitPrefix stands before the names of tensors, which are those of DINOv2 and timm.
const vitPrefix = "encoder."

// readViT builds a network without equipment.
func readViT(f *weights.File) (*ViT, error) {
	r := &weights.Reader{File: f, Prefix: vitPrefix}
	embedding := r.Tensor("patch_embed.proj.weight", -1, 3, -1, -1)
	if r.Err != nil {
		return nil, r.Err
	}
	c, patch := embedding.Shape[0], embedding.Shape[2]
	heads, err := strconv.Atoi(f.Meta.Extra[KeyHeads])
	switch {
	case err != nil || heads < 1 || c%heads != 0 || c/heads%kernel.Lanes != 0:
		return nil, fmt.Errorf("%s: %s %q of %d channels: want a number whose heads have a multiple of %d channels", f.Source, KeyHeads, f.Meta.Extra[KeyHeads], c, kernel.Lanes)
	case embedding.Shape[3] != patch || patch < 1:
		return nil, fmt.Errorf("%s: patches of %d×%d pixels, want squares", f.Source, embedding.Shape[3], patch)
	case len(f.Meta.Widths) != 1 || f.Meta.Widths[0] != c:
		return nil, fmt.Errorf("%s: widths %v of a network of %d channels", f.Source, f.Meta.Widths, c)
	}
	n := &ViT{meta: f.Meta, patch: patch}
	n.embedding = nn.NewDense(unfolded(embedding), r.Values("patch_embed.proj.bias", c))
	places := r.Tensor("pos_embed", 1, -1, c)
	if r.Err != nil {
		return nil, r.Err
	}
	rest := places.Data
	if t := r.Optional("cls_token", 1, 1, c); t != nil {
		n.class = true
		n.before = append(n.before, t.Data...)
		for i := range c {
			n.before[i] += rest[i]
		}
		rest = rest[c:]
	}
	if t := r.Optional("register_tokens", 1, -1, c); t != nil {
		n.before = append(n.before, t.Data...)
	}
	side := int(math.Sqrt(float64(len(rest) / c)))
	if side < 1 || side*side*c != len(rest) {
		return nil, fmt.Errorf("%s: positions of %d patches, want a square of them", f.Source, len(rest)/c)
	}
	if n.positions, err = newPositions(rest, side, c, f.Meta.Extra[KeyPositions]); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	for i := 0; r.Has(fmt.Sprintf("blocks.%d.norm1.weight", i)); i++ {
		n.blocks = append(n.blocks, readViTBlock(r, i, c, heads))
	}
	if r.Err == nil && len(n.blocks) == 0 {
		r.Err = fmt.Errorf("%s: no blocks: a vision transformer has tensors such as %sblocks.0.norm1.weight", f.Source, vitPrefix)
	}
	n.scale, n.shift = r.Values("norm.weight", c), r.Values("norm.bias", c)
	return n, r.Err
}

// readViTBlock reads a block and moves what belongs to the weights into them.
func readViTBlock(r *weights.Reader, i, c, heads int) *vitBlock {
	at := fmt.Sprintf("blocks.%d.", i)
	b := &vitBlock{channels: c, attention: nn.NewAttention(heads, c/heads)}
	qkv, out := readLayer(r, at+"attn.qkv", c, 3*c), readLayer(r, at+"attn.proj", c, c)
	width := -1 // of the perceptron
	if shape := r.Shape(at + "mlp.fc1.weight"); len(shape) == 2 {
		width = shape[0]
	}
	if r.Err == nil && width > 0 && width%kernel.Lanes != 0 {
		r.Err = fmt.Errorf("%s: a perceptron of %d channels, want a multiple of %d", r.File.Source, width, kernel.Lanes)
	}
	hidden, end := readLayer(r, at+"mlp.fc1", c, width), readLayer(r, at+"mlp.fc2", width, c)
	norms := [2][2][]float32{
		{r.Values(at+"norm1.weight", c), r.Values(at+"norm1.bias", c)},
		{r.Values(at+"norm2.weight", c), r.Values(at+"norm2.bias", c)},
	}
	scales := [2]*tensor.Tensor{r.Optional(at+"ls1.gamma", c), r.Optional(at+"ls2.gamma", c)}
	if r.Err != nil {
		return b
	}
	qkv, b.norms[0] = qkv.behind(norms[0][0], norms[0][1])
	hidden, b.norms[1] = hidden.behind(norms[1][0], norms[1][1])
	queries := make([]float32, 3*c)
	for k := range queries {
		queries[k] = 1
		if k < c {
			queries[k] = float32(1 / math.Sqrt(float64(c/heads)))
		}
	}
	qkv = qkv.scaled(queries)
	if scales[0] != nil {
		out = out.scaled(scales[0].Data)
	}
	if scales[1] != nil {
		end = end.scaled(scales[1].Data)
	}
	b.qkv, b.out, b.hidden, b.end = qkv.dense(), out.dense(), hidden.dense(), end.dense()
	return b
}

// unfolded reorders the filters of patches, [C, 3, p, p], to [C, p·p·3], the order of a
// picture's values.
func unfolded(filters *tensor.Tensor) *tensor.Tensor {
	c, side := filters.Shape[0], filters.Shape[2]
	t := tensor.New(c, side*side*3)
	for o := range c {
		for rgb := range 3 {
			for at := range side * side {
				t.Row(o)[at*3+rgb] = filters.Row(o)[rgb*side*side+at]
			}
		}
	}
	return t
}
