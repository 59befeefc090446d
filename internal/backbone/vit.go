package backbone

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// ArchViT is the architecture name of the vision transformer (Dosovitskiy et al., "An Image is
// Worth 16×16 Words", 2021): DINOv2's, with LayerScale and registers, and timm's, torchvision's and
// Hugging Face's.
//
// The image is divided into patches of 14 or 16 pixels, each of which becomes a token. Blocks of
// attention and a perceptron, each with a layer normalization before it, relate the tokens to each
// other. The last tokens of the patches are the feature map. An optional class token represents the
// whole image.
const ArchViT = "vit"

// Epsilon is added to the variances of a vision transformer's layer normalizations.
const Epsilon = 1e-6

// MaxPatches limits the patches of an image, since attention takes their square. It admits 14-pixel
// patches in the largest input.
const MaxPatches = 1 << 13

// ViT is a vision transformer. It is not safe for concurrent use.
type ViT struct {
	meta      weights.Meta
	patch     int
	class     bool // the first token is the class token
	embedding *nn.Dense
	before    []float32 // tokens before the patches, [n, C], positions added
	positions positions
	blocks    []*vitBlock
	scale     []float32
	shift     []float32
	ctx       nn.Context

	patches, tokens []float32
	output          *tensor.Tensor
	classes         *tensor.Tensor // latest class tokens, [N, C]; nil without a class token
}

// NewViT builds the vision transformer that the file's metadata and tensors describe, without the
// pooling of [KeyGrid].
//
// # Errors
//
// Tensors that are absent or do not match, and heads that do not divide the channels, with the
// file's name.
func NewViT(f *weights.File, opt Options) (*ViT, error) {
	r := &weights.Reader{File: f, Prefix: vitPrefix}
	embedding := r.Tensor("patch_embed.proj.weight", -1, 3, -1, -1)
	if r.Err != nil {
		return nil, r.Err
	}
	c, patch := embedding.Shape[0], embedding.Shape[2]
	heads, err := strconv.Atoi(f.Meta.Extra[KeyHeads])
	switch {
	case err != nil || heads < 1 || c%heads != 0 || c/heads%kernel.Lanes != 0:
		return nil, fmt.Errorf("%s: %s %q of %d channels: want a number of heads with a multiple of %d channels each", f.Source, KeyHeads, f.Meta.Extra[KeyHeads], c, kernel.Lanes)
	case embedding.Shape[3] != patch || patch < 1:
		return nil, fmt.Errorf("%s: patches of %d×%d pixels, want squares", f.Source, embedding.Shape[3], patch)
	case len(f.Meta.Widths) != 1 || f.Meta.Widths[0] != c:
		return nil, fmt.Errorf("%s: widths %v of a network of %d channels", f.Source, f.Meta.Widths, c)
	}
	n := &ViT{meta: f.Meta, patch: patch, ctx: opt.Context()}
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
		return nil, fmt.Errorf("%s: %d position embeddings, want a square number", f.Source, len(rest)/c)
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
	if r.Err != nil {
		return nil, r.Err
	}
	return n, nil
}

// Meta returns the metadata of the weights file.
func (n *ViT) Meta() weights.Meta { return n.meta }

// Channels returns the number of channels of an embedding, C.
func (n *ViT) Channels() int { return len(n.scale) }

// Patch returns the side of a patch in pixels.
func (n *ViT) Patch() int { return n.patch }

// Forward computes the tokens of each image's patches: a normalized batch [N, H, W, 3] gives [N,
// H/patch, W/patch, C]. The result is valid until the next call.
//
// # Errors
//
// Batches of another shape, and images whose sides are not multiples of the patch.
func (n *ViT) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	count, h, w, c := batch.Shape[0], batch.Shape[1]/n.patch, batch.Shape[2]/n.patch, n.Channels()
	if n.output == nil || !n.output.HasShape(count, h, w, c) {
		n.output = tensor.New(count, h, w, c)
	}
	if n.class && (n.classes == nil || n.classes.Shape[0] != count) {
		n.classes = tensor.New(count, c)
	}
	const chunk = 8
	first := len(n.before) / c
	for from := 0; from < count; from += chunk {
		size := min(chunk, count-from)
		pixels := len(batch.Data) / count
		n.embed(batch.Data[from*pixels:][:size*pixels], size, h, w)
		for _, b := range n.blocks {
			b.run(&n.ctx, n.tokens, size, first+h*w)
		}
		for i := range size {
			tokens := n.tokens[i*(first+h*w)*c:][:(first+h*w)*c]
			n.normalize(n.output.Row(from+i), tokens[first*c:])
			if n.class {
				n.normalize(n.classes.Row(from+i), tokens[:c])
			}
		}
	}
	return n.output, nil
}

// Summaries implements embed.Summarizer: the class tokens, or nil without a class token.
func (n *ViT) Summaries() *tensor.Tensor { return n.classes }

// BlockOutputs computes the output of each block for a batch, and finally the normalized tokens:
// tensors [N, tokens, C], including the tokens before the patches. It returns the same errors as
// Forward.
func (n *ViT) BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	count, h, w, c := batch.Shape[0], batch.Shape[1]/n.patch, batch.Shape[2]/n.patch, n.Channels()
	n.embed(batch.Data, count, h, w)
	tokens := len(n.before)/c + h*w
	var outputs []*tensor.Tensor
	for _, b := range n.blocks {
		b.run(&n.ctx, n.tokens, count, tokens)
		outputs = append(outputs, tensor.Of(append([]float32(nil), n.tokens...), count, tokens, c))
	}
	last := tensor.New(count, tokens, c)
	n.normalize(last.Data, n.tokens)
	return append(outputs, last), nil
}

// Start returns the initial tokens of an image of h×w patches without the patch embeddings: the
// tokens before the patches, [n, C], with their positions, and the position embeddings, [h·w, C],
// valid until the next call.
func (n *ViT) Start(h, w int) (before, places []float32) {
	return n.before, n.positions.of(h, w)
}

func (n *ViT) normalize(dst, tokens []float32) {
	c := n.Channels()
	n.ctx.Kernels.Standardize(dst, tokens, len(tokens)/c, c, Epsilon)
	n.ctx.Kernels.Normalize(dst, dst, n.scale, n.shift, nil, len(tokens)/c, c, nn.Linear)
}

// embed computes the tokens of count images of h×w patches in n.tokens.
func (n *ViT) embed(pictures []float32, count, h, w int) {
	c, terms := n.Channels(), n.patch*n.patch*3
	n.patches = slices.Grow(n.patches[:0], count*h*w*terms)[:count*h*w*terms]
	rows := len(pictures) / count / (h * n.patch)
	n.ctx.Split(count*h, func(from, to int) {
		for line := from; line < to; line++ {
			for x := range w {
				patch := n.patches[(line*w+x)*terms:]
				for y := range n.patch {
					copy(patch[y*n.patch*3:][:n.patch*3], pictures[(line*n.patch+y)*rows+x*n.patch*3:])
				}
			}
		}
	})
	first := len(n.before) / c
	tokens := first + h*w
	embedded := slices.Grow(n.tokens[:0], count*tokens*c)[:count*tokens*c]
	n.tokens = embedded
	places := n.positions.of(h, w)
	for i := range count {
		sequence := embedded[i*tokens*c:][:tokens*c]
		copy(sequence, n.before)
		copy(sequence[len(n.before):], places)
		n.embedding.Run(&n.ctx, sequence[len(n.before):], n.patches[i*h*w*terms:], h*w, nn.Added)
	}
}

func (n *ViT) check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of images has shape %v, want [N H W 3]", batch.Shape)
	}
	for _, side := range batch.Shape[1:3] {
		if side < n.patch || side%n.patch != 0 {
			return fmt.Errorf("images of %d×%d pixels: %s has patches of %d pixels, want sides that are multiples, such as %d",
				batch.Shape[2], batch.Shape[1], n.meta.Name, n.patch, max(1, side/n.patch)*n.patch)
		}
	}
	if patches := batch.Shape[1] / n.patch * (batch.Shape[2] / n.patch); patches > MaxPatches {
		return fmt.Errorf("images of %d×%d pixels have %d patches of %d pixels, more than %d", batch.Shape[2], batch.Shape[1], patches, n.patch, MaxPatches)
	}
	return nil
}

// Metadata keys of vision transformers.
const (
	// KeyHeads is the number of heads of each attention, which tensors do not determine.
	KeyHeads = "heads"
	// KeyPositions is the method that resampled the position embeddings in training: Offset or
	// Antialias.
	KeyPositions = "positions"
)

// vitPrefix precedes the tensor names of DINOv2 and timm.
const vitPrefix = "encoder."

// readViTBlock reads a block and folds scales into its weights.
func readViTBlock(r *weights.Reader, i, c, heads int) *vitBlock {
	at := fmt.Sprintf("blocks.%d.", i)
	b := &vitBlock{channels: c, attention: nn.NewAttention(heads, c/heads)}
	qkv, out := readLayer(r, at+"attn.qkv", c, 3*c), readLayer(r, at+"attn.proj", c, c)
	width := -1
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
	qkv, b.norms[0] = qkv.foldInput(norms[0][0], norms[0][1])
	hidden, b.norms[1] = hidden.foldInput(norms[1][0], norms[1][1])
	queries := make([]float32, 3*c)
	for k := range queries {
		queries[k] = 1
		if k < c {
			queries[k] = float32(1 / math.Sqrt(float64(c/heads)))
		}
	}
	qkv = qkv.scaleOutput(queries)
	if scales[0] != nil {
		out = out.scaleOutput(scales[0].Data)
	}
	if scales[1] != nil {
		end = end.scaleOutput(scales[1].Data)
	}
	b.qkv, b.out, b.hidden, b.end = qkv.dense(), out.dense(), hidden.dense(), end.dense()
	return b
}

// unfolded reorders the filters of patches, [C, 3, p, p], to [C, p·p·3], the order of an image's
// values.
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
