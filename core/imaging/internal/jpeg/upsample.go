package jpeg

// A sampler yields the rows of one component at the size of the picture. The
// slice is valid until the next call.
type sampler func(y int) []uint8

// sampler returns the sampler of a component, width samples a row. Like libjpeg it
// interpolates components at half resolution with a triangle filter, a nearer
// sample counting 3/4 and a further one 1/4 along each halved axis, and repeats
// the samples of all others. Neighbours beyond the edge are the edge itself.
//
// Rounding alternates between down and up from one output sample to the next, so
// that a ramp gains no bias.
func (c *component) sampler(maxH, maxV int) sampler {
	x, y := maxH/c.h, maxV/c.v
	row := make([]uint8, c.width*x)
	smooth := c.width > 2 // libjpeg repeats the samples of very narrow components
	switch {
	case x == 1 && y == 1:
		return c.row
	case x == 2 && y == 1 && smooth:
		return func(y int) []uint8 {
			doubleWidth(row, c.row(y))
			return row
		}
	case x == 1 && y == 2:
		return func(y int) []uint8 {
			near, far := c.rowPair(y)
			bias := uint(1 + y&1)
			for i := range row {
				row[i] = uint8((3*uint(near[i]) + uint(far[i]) + bias) >> 2)
			}
			return row
		}
	case x == 2 && y == 2 && smooth:
		sums := make([]uint16, c.width)
		return func(y int) []uint8 {
			near, far := c.rowPair(y)
			for i := range sums {
				sums[i] = 3*uint16(near[i]) + uint16(far[i])
			}
			doubleSums(row, sums)
			return row
		}
	}
	return func(at int) []uint8 {
		for i, v := range c.row(at / y) {
			for j := range x {
				row[i*x+j] = v
			}
		}
		return row
	}
}

// row is row y of the component's own samples. Of a progressive component it is valid
// until a row two blocks further is asked for.
func (c *component) row(y int) []uint8 {
	if c.coeff != nil {
		if blocks := y / 8; c.held[blocks%2] != blocks {
			c.transform(blocks)
		}
		y %= windowRows
	}
	return c.plane[y*c.stride:][:c.width]
}

// rowPair returns, of a component at half the height, the row of samples that is
// nearest to row y of the picture and the one that is next nearest.
func (c *component) rowPair(y int) (near, far []uint8) {
	n := y / 2
	f := min(max(n-1+y&1*2, 0), c.height-1)
	return c.row(n), c.row(f)
}

// doubleWidth writes in, interpolated to twice its length, to out.
func doubleWidth(out, in []uint8) {
	last := len(in) - 1
	out = out[:2*len(in)]
	for i, v := range in {
		near := 3 * uint(v)
		before, behind := uint(in[max(i-1, 0)]), uint(in[min(i+1, last)])
		out[2*i] = uint8((near + before + 1) >> 2)
		out[2*i+1] = uint8((near + behind + 2) >> 2)
	}
}

// doubleSums is doubleWidth for column sums that are scaled by 4 already.
func doubleSums(out []uint8, in []uint16) {
	last := len(in) - 1
	out = out[:2*len(in)]
	for i, v := range in {
		near := 3 * uint(v)
		before, behind := uint(in[max(i-1, 0)]), uint(in[min(i+1, last)])
		out[2*i] = uint8((near + before + 8) >> 4)
		out[2*i+1] = uint8((near + behind + 7) >> 4)
	}
}
