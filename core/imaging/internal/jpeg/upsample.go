package jpeg

// sampler returns row y of a component at the size of the picture. The slice is valid until the
// next call.
type sampler func(y int) []uint8

// sampler returns the sampler of a component. Like libjpeg it interpolates components at half
// resolution with a triangle filter, weights 3/4 and 1/4 along each halved axis, and repeats the
// samples of all others. Edge samples repeat.
//
// Rounding alternates between down and up, so that a ramp has no bias.
func (c *component) sampler(maxH, maxV int) sampler {
	x, y := maxH/c.h, maxV/c.v
	row := make([]uint8, c.width*x)
	smooth := c.width > 2 // libjpeg repeats the samples of very narrow components
	switch {
	case x == 1 && y == 1:
		return c.row
	case x == 2 && y == 1 && smooth:
		return func(y int) []uint8 {
			double(row, c.row(y), 1, 2, 2)
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
			double(row, sums, 8, 7, 4)
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

// row returns row y of the component's samples. For a progressive component it is valid until a row
// two blocks later is requested.
func (c *component) row(y int) []uint8 {
	if c.coeff != nil {
		if blocks := y / 8; c.window[blocks%2] != blocks {
			c.transform(blocks)
		}
		y %= windowRows
	}
	return c.plane[y*c.stride:][:c.width]
}

// rowPair returns the nearest and next nearest sample rows to row y of the picture, for a component
// of half the height.
func (c *component) rowPair(y int) (near, far []uint8) {
	n := y / 2
	f := min(max(n-1+y&1*2, 0), c.height-1)
	return c.row(n), c.row(f)
}

// double interpolates samples, which are multiplied by 2^shift/4, to twice their number, with the
// given rounding terms.
func double[T uint8 | uint16](out []uint8, in []T, left, right uint, shift int) {
	last := len(in) - 1
	out = out[:2*len(in)]
	for i, v := range in {
		near := 3 * uint(v)
		before, behind := uint(in[max(i-1, 0)]), uint(in[min(i+1, last)])
		out[2*i] = uint8((near + before + left) >> (shift & 7))
		out[2*i+1] = uint8((near + behind + right) >> (shift & 7))
	}
}
