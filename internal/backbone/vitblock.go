package backbone

import (
	"slices"

	"github.com/deepemd/deepemd/internal/nn"
)

// vitBlock is attention and a perceptron, each with a normalisation before it and a residual
// connection past it. Weights hold what belongs to them: the normalisations' weights and
// biases are in the layer behind, if it is one of floats, LayerScale in the layer before,
// and the scale of the scores in the queries.
type vitBlock struct {
	channels              int
	qkv, out, hidden, end dense
	norms                 [2]*norm // what else is done to standardised channels; nil for nothing
	attention             *nn.Attention

	normal, wide, mixed []float32
}

// run replaces tokens [sequences·tokens, C] by those behind the block.
func (b *vitBlock) run(ctx *nn.Context, x []float32, sequences, tokens int) {
	rows, c := sequences*tokens, b.channels
	narrow, wide := rows*c, rows*max(b.qkv.Out(), b.hidden.Out())
	b.normal, b.mixed = slices.Grow(b.normal[:0], narrow)[:narrow], slices.Grow(b.mixed[:0], narrow)[:narrow]
	b.wide = slices.Grow(b.wide[:0], wide)[:wide]
	standardise := func(n *norm) {
		ctx.Split(rows, func(from, to int) {
			part := b.normal[from*c : to*c]
			ctx.Kernels.Standardize(part, x[from*c:], to-from, c, Epsilon)
			if n != nil {
				ctx.Kernels.Normalize(part, part, n.scale, n.shift, nil, to-from, c, nn.Linear)
			}
		})
	}
	standardise(b.norms[0])
	b.qkv.Run(ctx, b.wide, b.normal, rows, nn.Biased)
	b.attention.Run(ctx, b.mixed, b.wide, sequences, tokens)
	b.out.Run(ctx, x, b.mixed, rows, nn.Added)
	standardise(b.norms[1])
	b.hidden.Run(ctx, b.wide, b.normal, rows, nn.Gelu)
	b.end.Run(ctx, x, b.wide, rows, nn.Added)
}
