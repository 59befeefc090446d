package jpeg

// natural maps zig-zag order to row-major order (figure A.6).
var natural = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
}

// sequential decodes block (x, y) of a component and transforms it at once
// (section F.2.2).
func (s *scan) sequential(c *scanComponent, x, y int) {
	r := &s.bits
	size := int(r.symbol(c.dc))
	c.prediction += extend(r.take(size), size)
	dc := int32(int16(c.prediction)) * int32(c.quant[0])

	flat := true
	b := &s.block
	for k := 1; k < 64; k++ {
		symbol := r.symbol(c.ac)
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 {
			if run < 15 {
				break // end of block
			}
			k += 15
			continue
		}
		k += run
		if k > 63 {
			r.corrupt = true
			break
		}
		b[natural[k]] = extend(r.take(size), size) * int32(c.quant[k])
		flat = false
	}

	out := c.plane[8*(y*c.stride+x):]
	if flat {
		fillBlock(out, c.stride, dc)
		return
	}
	b[0] = dc
	inverseDCT(out, c.stride, b)
	*b = [64]int32{}
}
