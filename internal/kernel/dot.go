//go:build amd64 || arm64

package kernel

//go:noescape
func dot_product(c *float32, segments *Segment, count, steps, words, aStep, bStep, rows int, accumulate bool)

// blockProductDot uses products of pairs (AVX512_BF16, or FEAT_BF16 on arm64), twice as many as
// fused multiplications of float32.
func blockProductDot(c []float32, segments []Segment, steps, terms, aStep, bStep, rows int, accumulate bool) {
	dot_product(&c[0], &segments[0], len(segments), steps, terms/2, 4*aStep, 4*bStep, rows, accumulate)
}
