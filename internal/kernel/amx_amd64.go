package kernel

//go:noescape
func amx_product(c *float32, segments *Segment, count, steps, aStep, bStep, chunks int, accumulate bool)

//go:noescape
func amx_product_split(c *float32, segments *Segment, count, steps, aStep, bStep, aRest, bRest, chunks int)

func splitProductAMX(c []float32, segments []Segment, steps int, a, b Strides, chunks int) {
	amx_product_split(&c[0], &segments[0], len(segments), steps, 4*a.Step, 4*b.Step, 4*a.Rest, 4*b.Rest, chunks)
}

func blockProductAMX(c []float32, segments []Segment, steps, _, aStep, bStep, rows int, accumulate bool) {
	amx_product(&c[0], &segments[0], len(segments), steps, 4*aStep, 4*bStep, rows/BlockSide, accumulate)
}
