package jpeg

import "fmt"

// progress checks that a progressive scan has the next bits of its coefficients (section G.1.1.1).
// This also bounds the number of scans.
func (s *scan) progress() error {
	switch {
	case s.start > s.end || s.end > 63 || s.start == 0 && s.end != 0,
		s.start > 0 && len(s.components) > 1:
		return FormatError(fmt.Sprintf("progressive scan of coefficients %d to %d of %d components",
			s.start, s.end, len(s.components)))
	case s.low > 13 || s.high != 0 && s.high != s.low+1:
		return FormatError(fmt.Sprintf("progressive scan from bit %d to bit %d", s.high, s.low))
	}
	for _, c := range s.components {
		for k := s.start; k <= s.end; k++ {
			if want := int8(s.high); s.high == 0 && c.reached[k] != 0 || s.high > 0 && c.reached[k] != want+1 {
				return FormatError(fmt.Sprintf("progressive scans of component %d out of turn", c.id))
			}
			c.reached[k] = int8(s.low) + 1
		}
	}
	return nil
}

// coefficients returns block (x, y) of a progressive component.
func (c *component) coefficients(x, y int) *[64]int16 {
	return (*[64]int16)(c.coeff[8*(y*c.stride+8*x):])
}

// firstDC decodes the high bits of a DC coefficient (section G.1.2.1).
func (s *scan) firstDC(c *scanComponent, x, y int) {
	r := &s.bits
	size := int(r.symbol(c.dc))
	c.prediction += extend(r.bits(size), size)
	c.coefficients(x, y)[0] = int16(c.prediction << s.low)
}

// refineDC decodes the next bit of a DC coefficient (section G.1.2.1).
func (s *scan) refineDC(c *scanComponent, x, y int) {
	if s.bits.bit() {
		c.coefficients(x, y)[0] |= 1 << s.low
	}
}

// firstAC decodes the high bits of a band of AC coefficients (section G.1.2.2).
func (s *scan) firstAC(c *scanComponent, x, y int) {
	if s.endRun > 0 {
		s.endRun--
		return
	}
	r := &s.bits
	b := c.coefficients(x, y)
	for k := s.start; k <= s.end; k++ {
		symbol := r.symbol(c.ac)
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 {
			if run < 15 {
				s.endRun = 1<<run + int(r.bits(run)) - 1 // the run includes this block
				return
			}
			k += 15
			continue
		}
		k += run
		if k > s.end {
			r.corrupt = true
			return
		}
		b[natural[k]] = int16(extend(r.bits(size), size) << s.low)
	}
}

// refineAC decodes the next bit of a band of AC coefficients (section G.1.2.3): a correction bit
// for each nonzero coefficient, and the positions and signs of new ones.
func (s *scan) refineAC(c *scanComponent, x, y int) {
	r := &s.bits
	b := c.coefficients(x, y)
	k := s.start
	if s.endRun == 0 {
		for ; k <= s.end; k++ {
			symbol := r.symbol(c.ac)
			run, size := int(symbol>>4), symbol&15
			if size == 0 && run < 15 {
				s.endRun = 1<<run + int(r.bits(run))
				break
			}
			fresh := int16(0)
			if size != 0 {
				if fresh = -1 << s.low; r.bit() {
					fresh = 1 << s.low
				}
			}
			k = s.correct(b, k, run)
			if fresh == 0 {
				continue // sixteen zeros
			}
			if k > s.end || size > 1 {
				r.corrupt = true
				return
			}
			b[natural[k]] = fresh
		}
	}
	if s.endRun > 0 {
		s.correct(b, k, 64)
		s.endRun--
	}
}

// correct reads a correction bit for every nonzero coefficient at k or later, skips run zeros, and
// returns the index of the next zero.
func (s *scan) correct(b *[64]int16, k, run int) int {
	one := int16(1) << s.low
	for ; k <= s.end; k++ {
		v := &b[natural[k]]
		switch {
		case *v == 0:
			if run == 0 {
				return k
			}
			run--
		case !s.bits.bit() || *v&one != 0: // the second condition holds only for damaged data
		case *v > 0:
			*v += one
		default:
			*v -= one
		}
	}
	return k
}

// transform computes the samples of row y of the blocks of a progressive component, after its last
// scan.
func (c *component) transform(y int) {
	var block [64]int32
	c.window[y%2] = y
	for x := range c.blocksX {
		b := c.coefficients(x, y)
		flat := true
		for k, n := range natural {
			block[n] = int32(b[n]) * int32(c.quant[k])
			flat = flat && (k == 0 || b[n] == 0)
		}
		out := c.plane[8*(y%2*c.stride+x):]
		if flat {
			fillBlock(out, c.stride, block[0])
		} else {
			inverseDCT(out, c.stride, &block)
		}
	}
}
