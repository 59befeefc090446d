package jpeg

import (
	"fmt"
)

// scan is one pass over the entropy-coded data of some components.
type scan struct {
	bits       bitReader
	components []scanComponent

	// Progressive (section G.1.1.1): the band of coefficients, the bit position of the previous
	// pass, and that of this pass.
	start, end int
	high, low  int
	endRun     int // number of further blocks whose band has ended

	block [64]int32 // dequantized coefficients of a sequential block
}

// scanComponent is a component in one scan.
type scanComponent struct {
	*component
	dc, ac     *huffman
	prediction int32 // the previous DC coefficient
	nx, ny     int   // blocks per MCU
}

// scan reads the scan header at d.pos (section B.2.3) and decodes its data.
func (d *Decoder) scan() error {
	p, err := d.payload()
	if err != nil {
		return err
	}
	s, err := d.scanHeader(p)
	if err != nil {
		return err
	}
	decode, err := d.procedure(s)
	if err != nil {
		return err
	}
	for _, c := range s.components {
		if c.quant == nil {
			if c.quant = d.quant[c.table]; c.quant == nil {
				return FormatError(fmt.Sprintf("quantization table %d is missing", c.table))
			}
		}
		c.scanned = true
	}
	s.bits.data, s.bits.pos = d.data, d.pos
	if err := d.units(s, decode); err != nil {
		return err
	}
	d.pos = s.bits.pos
	return nil
}

func (d *Decoder) scanHeader(p []byte) (*scan, error) {
	if len(p) < 1 || len(p) != 4+2*int(p[0]) {
		return nil, FormatError("scan header of wrong length")
	}
	n := int(p[0])
	if n < 1 || n > len(d.components) {
		return nil, FormatError(fmt.Sprintf("scan of %d components", n))
	}
	s := &scan{components: make([]scanComponent, n)}
	for i := range s.components {
		id, dc, ac := p[1+2*i], p[2+2*i]>>4, p[2+2*i]&15
		if dc > 3 || ac > 3 {
			return nil, FormatError(fmt.Sprintf("Huffman tables %d and %d", dc, ac))
		}
		c := scanComponent{dc: d.dc[dc], ac: d.ac[ac], nx: 1, ny: 1}
		for j := range d.components {
			if d.components[j].id == id {
				c.component = &d.components[j]
			}
		}
		if c.component == nil {
			return nil, FormatError(fmt.Sprintf("scan of unknown component %d", id))
		}
		for _, other := range s.components[:i] {
			if other.component == c.component {
				return nil, FormatError(fmt.Sprintf("component %d twice in a scan", id))
			}
		}
		if n > 1 {
			c.nx, c.ny = c.h, c.v
		}
		s.components[i] = c
	}
	tail := p[1+2*n:]
	s.start, s.end = int(tail[0]), int(tail[1])
	s.high, s.low = int(tail[2]>>4), int(tail[2]&15)
	return s, nil
}

// procedure checks that a scan is allowed and returns the decoder of its blocks.
func (d *Decoder) procedure(s *scan) (func(c *scanComponent, x, y int), error) {
	if !d.progressive {
		for _, c := range s.components {
			if c.scanned {
				return nil, FormatError(fmt.Sprintf("second scan of component %d", c.id))
			}
			if c.dc == nil || c.ac == nil {
				return nil, FormatError("Huffman table is missing")
			}
		}
		return s.sequential, nil // ignores band and bit positions
	}
	if err := s.progress(); err != nil {
		return nil, err
	}
	dc, first := s.start == 0, s.high == 0
	for _, c := range s.components {
		if dc && first && c.dc == nil || !dc && c.ac == nil {
			return nil, FormatError("Huffman table is missing")
		}
	}
	switch {
	case dc && first:
		return s.firstDC, nil
	case dc:
		return s.refineDC, nil
	case first:
		return s.firstAC, nil
	default:
		return s.refineAC, nil
	}
}

// units decodes the blocks of a scan, MCU by MCU (section A.2): interleaved for several components,
// otherwise in reading order.
func (d *Decoder) units(s *scan, decode func(c *scanComponent, x, y int)) error {
	across, down := d.mcus()
	if len(s.components) == 1 {
		across, down = s.components[0].blocksX, s.components[0].blocksY
	}
	untilRestart, restarts := d.restart, 0
	for my := range down {
		for mx := range across {
			if d.restart > 0 {
				if untilRestart == 0 {
					if err := d.resync(s, restarts); err != nil {
						return err
					}
					untilRestart = d.restart
					restarts++
				}
				untilRestart--
			}
			for i := range s.components {
				c := &s.components[i]
				for y := range c.ny {
					for x := range c.nx {
						decode(c, mx*c.nx+x, my*c.ny+y)
					}
				}
			}
		}
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// resync reads restart marker number n and resets the decoder (sections F.2.1.3.1 and G.1.2.2).
func (d *Decoder) resync(s *scan, n int) error {
	if err := s.check(); err != nil {
		return err
	}
	d.pos = s.bits.pos
	m, err := d.marker()
	if err != nil {
		return err
	}
	if want := byte(markerRST0 + n%8); m != want {
		return FormatError(fmt.Sprintf("marker %#x where restart marker %#x belongs", m, want))
	}
	s.bits = bitReader{data: d.data, pos: d.pos}
	s.endRun = 0
	for i := range s.components {
		s.components[i].prediction = 0
	}
	return nil
}

// check returns an error if the data decoded so far are truncated or damaged.
func (s *scan) check() error {
	rest := s.bits.data[s.bits.pos:]
	switch early := s.bits.padded > s.bits.n; {
	case early && (len(rest) < 2 || rest[1] == markerEOI):
		return ErrTruncated // the file has ended, not only a restart interval
	case early:
		return FormatError("picture data end early")
	case s.bits.corrupt:
		return FormatError("picture data are damaged")
	}
	return nil
}

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

// sequential decodes and transforms block (x, y) of a component (section F.2.2).
func (s *scan) sequential(c *scanComponent, x, y int) {
	r := &s.bits
	size := int(r.symbol(c.dc))
	c.prediction += extend(r.bits(size), size)
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
		b[natural[k]] = extend(r.bits(size), size) * int32(c.quant[k])
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
