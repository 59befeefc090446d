package kernel

//go:noescape
func tile_product(c *float32, segments *Segment, count, steps, aStep, bStep, chunks int, accumulate bool)

func tileProductAMX(c []float32, segments []Segment, steps, aStep, bStep, chunks int, accumulate bool) {
	tile_product(&c[0], &segments[0], len(segments), steps, 4*aStep, 4*bStep, chunks, accumulate)
}
