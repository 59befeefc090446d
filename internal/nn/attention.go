package nn

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
)

// attentionRows limits the queries that are compared with all keys at a time, so that their scores
// stay in the cache.
const attentionRows = 96

// Attention is multi-head self-attention (Vaswani et al., 2017) on the queries, keys and values of
// a sequence of tokens.
type Attention struct {
	heads, size int // size is the number of channels of a head
	scratch     []attentionScratch
}

type attentionScratch struct{ keys, values, scores []float32 }

// NewAttention returns attention with heads heads of size channels, a multiple of [kernel.Lanes].
func NewAttention(heads, size int) *Attention {
	if heads < 1 || size < 1 || size%kernel.Lanes != 0 {
		panic(fmt.Sprintf("nn: attention of %d heads of %d channels", heads, size))
	}
	return &Attention{heads: heads, size: size}
}

// Run computes dst [sequences·tokens, heads·size] from qkv [sequences·tokens, 3·heads·size]:
// queries, already scaled, keys and values. Threads share the heads of all sequences.
func (a *Attention) Run(c *Context, dst, qkv []float32, sequences, tokens int) {
	if len(a.scratch) < c.Threads {
		a.scratch = make([]attentionScratch, c.Threads)
	}
	units := sequences * a.heads
	c.Split(c.Threads, func(from, to int) {
		for thread := from; thread < to; thread++ {
			for unit := thread; unit < units; unit += c.Threads {
				a.head(c.Kernels, &a.scratch[thread], dst, qkv, unit/a.heads*tokens, tokens, unit%a.heads)
			}
		}
	})
}

// head computes one head of the sequence that starts at token first.
func (a *Attention) head(set *kernel.Set, s *attentionScratch, dst, qkv []float32, first, tokens, head int) {
	width := a.heads * a.size
	padded := kernel.Pad(tokens)
	queries := qkv[first*3*width+head*a.size:]
	s.keys = set.PackColumns(s.keys, queries[width:], 3*width, tokens, a.size)
	s.values = packRows(s.values, set, queries[2*width:], 3*width, tokens, a.size)
	parts := (tokens + attentionRows - 1) / attentionRows
	each := (tokens + parts - 1) / parts
	s.scores = slices.Grow(s.scores[:0], each*padded)[:each*padded]
	for row := 0; row < tokens; row += each {
		rows := min(each, tokens-row)
		set.Gemm(rows, a.size, padded, queries[row*3*width:], 3*width, s.keys, s.scores, padded, false)
		set.Softmax(s.scores, rows, tokens, padded)
		set.Gemm(rows, tokens, a.size, s.scores, padded, s.values, dst[(first+row)*width+head*a.size:], width, false)
	}
}

func packRows(dst []float32, set *kernel.Set, src []float32, stride, k, n int) []float32 {
	dst = slices.Grow(dst[:0], kernel.PackedLen(k, n))[:kernel.PackedLen(k, n)]
	for p := range set.Panels(n) {
		col, width := set.Panel(n, p)
		for row := range k {
			copy(dst[col*k+row*width:][:width], src[row*stride+col:])
		}
	}
	return dst
}
