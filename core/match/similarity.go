package match

import "deepemd/core/kernel"

// The cosines of every pair of nodes are the product of two matrices of unit
// vectors: nearly all of matching's arithmetic apart from the transport. The
// support's is packed for the product, where possible once for all queries.

// columns is the number of columns of a packed set of n nodes.
func columns(n int) int { return kernel.Pad(n) }

// pack lays out unit nodes, [n, c], as the columns of a c×columns(n) matrix,
// zero beyond n, in dst.
func pack(dst []float32, s *kernel.Set, unit []float32, n, c int) []float32 {
	dst = resize(dst, kernel.PackedLen(c, columns(n)))
	s.Pack(dst, c, columns(n), func(row, col int) float32 {
		if col >= n {
			return 0
		}
		return unit[col*c+row]
	})
	return dst
}

// Cosines is the working memory of similarities. Its zero value is ready.
type Cosines struct {
	packed []float32 // a support that is not, see pack
	values []float32
}

// Of returns the cosine of every pair of nodes, a query's in each row of stride
// values, of which the first support.N() count. They are centred unless the sets
// are Raw. The result is valid until the next call; both sets have the same
// number of channels.
func (c *Cosines) Of(query, support *Prepared) (values []float32, stride int) {
	set := kernel.Best()
	packed := support.packed
	if len(packed) == 0 {
		c.packed = pack(c.packed, set, support.unit, support.N(), support.C())
		packed = c.packed
	}
	rows, cols, channels := query.N(), columns(support.N()), query.C()
	c.values = resize(c.values, rows*cols)
	set.Gemm(rows, channels, cols, query.unit, channels, packed, c.values, cols, false)
	return c.values, cols
}

// dot is the product of two vectors of the same length, in four partial sums.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	k := 0
	for ; k+4 <= len(a); k += 4 {
		x, y := a[k:k+4], b[k:k+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; k < len(a); k++ {
		s0 += a[k] * b[k]
	}
	return (s0 + s1) + (s2 + s3)
}
