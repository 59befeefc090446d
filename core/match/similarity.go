package match

import (
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
)

// The cosines of all pairs of nodes are a product of two matrices of unit vectors, which takes most
// of the time besides transport. Each set appends its mean node, so that the same product contains
// the products for cross-reference weights. One side is packed, if possible once for many matches.

// Cosines is the working memory of similarities. Its zero value is ready to use.
type Cosines struct {
	packed []float32 // of a support without Pack
	values []float32
}

// Of returns the cosines of all pairs of nodes: for each query node a row of stride values,
// beginning with the support.N() cosines. Nodes are centered unless the sets are Raw. The result is
// valid until the next call. Both sets must have the same number of channels.
func (c *Cosines) Of(query, support *Prepared) (values []float32, stride int) {
	packed := support.packed
	if len(packed) == 0 {
		c.packed = support.pack(c.packed)
		packed = c.packed
	}
	c.values, stride = product(c.values, query, support, packed)
	return c.values, stride
}

// withMeans is Of with the products for cross-reference weights. The product of query node i with
// support node j is values[i·row + j·col]. The index after the last node of a side is its mean.
// Nodes are unit nodes, means are raw.
func (c *Cosines) withMeans(query, support *Prepared) (values []float32, row, col int) {
	if len(support.packed) == 0 && len(query.packed) > 0 {
		c.values, row = product(c.values, support, query, query.packed)
		return c.values, 1, row
	}
	values, row = c.Of(query, support)
	return values, row, 1
}

// product multiplies the rows of a with the packed rows of b. Each row of stride values has the
// products of one node of a, or finally of its mean, with the nodes of b and its mean.
func product(dst []float32, a, b *Prepared, packed []float32) (values []float32, stride int) {
	rows, cols, channels := a.N()+1, kernel.Pad(b.N()+1), a.C()
	dst = slices.Grow(dst[:0], rows*cols)[:rows*cols]
	kernel.Best().Gemm(rows, channels, cols, a.rows, channels, packed, dst, cols, false)
	return dst, cols
}
