package layer

import (
	"math"

	"github.com/deepemd/deepemd/core/kernel"
	"github.com/deepemd/deepemd/core/nn"
)

// Attention is multi-head self-attention (Vaswani et al., 2017). Of a forward pass it keeps
// nothing: its backward pass computes the shares of the tokens again, which takes less time
// than to read what so many of them would be.
type Attention struct {
	heads, size int // size is the channels of a head, a multiple of the kernels' lanes
	scratch     []attentionScratch
}

// attentionScratch is what one thread needs for one head of a sequence.
type attentionScratch struct {
	queries, packed      []float32 // scaled queries, and a packed factor of a product
	shares, dshares, sum []float32 // [tokens, padded] twice, and [padded, size]
}

// NewAttention returns attention of so many heads of size channels each.
func NewAttention(heads, size int) *Attention { return &Attention{heads: heads, size: size} }

// Forward computes dst [sequences·tokens, heads·size] of queries, keys and values, qkv
// [sequences·tokens, 3·heads·size].
func (a *Attention) Forward(ctx *nn.Context, dst, qkv []float32, sequences, tokens int) {
	width, padded := a.heads*a.size, kernel.Pad(tokens)
	a.each(ctx, sequences, func(s *attentionScratch, sequence, head int) {
		first := sequence * tokens
		a.share(ctx.Kernels, s, qkv, first, tokens, head)
		values := qkv[first*3*width+2*width+head*a.size:]
		s.packed = nn.PackRows(s.packed, ctx.Kernels, values, 3*width, tokens, a.size)
		ctx.Kernels.Gemm(tokens, tokens, a.size, s.shares, padded, s.packed, dst[first*width+head*a.size:], width, false)
	})
}

// Backward computes the gradient of queries, keys and values, dqkv, from that of the
// result, g, and what Forward took.
func (a *Attention) Backward(ctx *nn.Context, dqkv, g, qkv []float32, sequences, tokens int) {
	width, padded := a.heads*a.size, kernel.Pad(tokens)
	set := ctx.Kernels
	a.each(ctx, sequences, func(s *attentionScratch, sequence, head int) {
		first := sequence * tokens
		a.share(set, s, qkv, first, tokens, head)
		at := first*3*width + head*a.size
		keys, values := qkv[at+width:], qkv[at+2*width:]
		g := g[first*width+head*a.size:]
		s.sum, s.dshares = grow(s.sum, padded*a.size), grow(s.dshares, tokens*padded)

		set.GemmT(padded, tokens, a.size, s.shares, padded, g, width, s.sum, a.size, false)
		a.put(dqkv[at+2*width:], s.sum, tokens)

		s.packed = nn.PackColumns(s.packed, set, values, 3*width, tokens, a.size)
		set.Gemm(tokens, a.size, padded, g, width, s.packed, s.dshares, padded, false)
		set.Unsoftmax(s.dshares, s.shares, tokens, padded, a.scale())

		s.packed = nn.PackRows(s.packed, set, keys, 3*width, tokens, a.size)
		set.Gemm(tokens, tokens, a.size, s.dshares, padded, s.packed, dqkv[at:], 3*width, false)
		set.GemmT(padded, tokens, a.size, s.dshares, padded, qkv[at:], 3*width, s.sum, a.size, false)
		a.put(dqkv[at+width:], s.sum, tokens)
	})
}

// scale is that of the products of queries and keys.
func (a *Attention) scale() float32 { return float32(1 / math.Sqrt(float64(a.size))) }

// share computes the shares of all tokens in each, of the sequence whose tokens begin at
// first.
func (a *Attention) share(set *kernel.Set, s *attentionScratch, qkv []float32, first, tokens, head int) {
	width, padded := a.heads*a.size, kernel.Pad(tokens)
	at := first*3*width + head*a.size
	s.queries, s.shares = grow(s.queries, tokens*a.size), grow(s.shares, tokens*padded)
	scale := a.scale()
	for i := range tokens {
		for k, v := range qkv[at+i*3*width:][:a.size] {
			s.queries[i*a.size+k] = scale * v
		}
	}
	s.packed = nn.PackColumns(s.packed, set, qkv[at+width:], 3*width, tokens, a.size)
	set.Gemm(tokens, a.size, padded, s.queries, a.size, s.packed, s.shares, padded, false)
	set.Softmax(s.shares, tokens, tokens, padded)
}

// put copies rows of a head to their places among queries, keys and values.
func (a *Attention) put(dst, rows []float32, tokens int) {
	for i := range tokens {
		copy(dst[i*3*a.heads*a.size:][:a.size], rows[i*a.size:])
	}
}

// each calls do for each head of each sequence, on all threads.
func (a *Attention) each(ctx *nn.Context, sequences int, do func(s *attentionScratch, sequence, head int)) {
	if len(a.scratch) < ctx.Threads {
		a.scratch = make([]attentionScratch, ctx.Threads)
	}
	ctx.Split(ctx.Threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			for unit := thread; unit < sequences*a.heads; unit += ctx.Threads {
				do(&a.scratch[thread], unit/a.heads, unit%a.heads)
			}
		}
	})
}
