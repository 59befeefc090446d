package jpeg

import (
	"encoding/binary"
	"fmt"
)

// component is one plane of the picture: luma, a chroma difference, or an ink.
type component struct {
	id    uint8
	h, v  int // sampling factors, 1 to 4
	table uint8

	width, height    int // samples of the picture
	blocksX, blocksY int // 8×8 blocks of the picture
	stride, rows     int // samples of the plane, padded to full MCUs

	plane   []uint8     // [rows, stride] decoded samples; progressive: [16, stride], two rows of blocks
	coeff   []int16     // progressive: [rows/8, stride/8, 64] coefficients, natural order
	quant   *[64]uint16 // zig-zag order; the table at the component's first scan
	scanned bool
	window  [2]int   // progressive: rows of blocks in the plane, the even and the odd one; -1 if absent
	reached [64]int8 // progressive: latest bit position + 1 of each coefficient; 0 before the first scan
}

// frame reads the frame header (section B.2.2).
func (d *Decoder) frame(p []byte) error {
	if d.components != nil {
		return FormatError("second frame header")
	}
	if len(p) < 6 || len(p) != 6+3*int(p[5]) {
		return FormatError("frame header of wrong length")
	}
	if p[0] != 8 {
		return UnsupportedError(fmt.Sprintf("precision of %d bits", p[0]))
	}
	d.Height = int(binary.BigEndian.Uint16(p[1:]))
	d.Width = int(binary.BigEndian.Uint16(p[3:]))
	if d.Width == 0 || d.Height == 0 {
		return FormatError(fmt.Sprintf("picture of %d×%d pixels", d.Width, d.Height))
	}
	n := int(p[5])
	if n != 1 && n != 3 && n != 4 {
		return UnsupportedError(fmt.Sprintf("a picture of %d components", n))
	}
	d.components = make([]component, n)
	for i := range d.components {
		q := p[6+3*i:]
		c := component{id: q[0], h: int(q[1] >> 4), v: int(q[1] & 15), table: q[2]}
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return FormatError(fmt.Sprintf("sampling factors %d×%d", c.h, c.v))
		}
		if c.table > 3 {
			return FormatError(fmt.Sprintf("quantization table %d", c.table))
		}
		for _, other := range d.components[:i] {
			if other.id == c.id {
				return FormatError(fmt.Sprintf("two components numbered %d", c.id))
			}
		}
		d.maxH, d.maxV = max(d.maxH, c.h), max(d.maxV, c.v)
		d.components[i] = c
	}
	mcusX, mcusY := d.mcus()
	for i := range d.components {
		c := &d.components[i]
		if d.maxH%c.h != 0 || d.maxV%c.v != 0 {
			return UnsupportedError(fmt.Sprintf("subsampling by %d:%d", d.maxH*d.maxV, c.h*c.v))
		}
		c.width, c.height = ceilDiv(d.Width*c.h, d.maxH), ceilDiv(d.Height*c.v, d.maxV)
		c.blocksX, c.blocksY = ceilDiv(c.width, 8), ceilDiv(c.height, 8)
		c.stride, c.rows = 8*c.h*mcusX, 8*c.v*mcusY
	}
	return nil
}

// mcus returns the number of interleaved minimum coded units across and down (section A.2.3).
func (d *Decoder) mcus() (across, down int) {
	return ceilDiv(d.Width, 8*d.maxH), ceilDiv(d.Height, 8*d.maxV)
}

// Cut reports whether the data are too short for the picture: every block takes at least one bit.
func (d *Decoder) Cut() bool { return d.blocks()/8 > len(d.data) }

// blocks returns the number of blocks of all components.
func (d *Decoder) blocks() int {
	n := 0
	for _, c := range d.components {
		n += c.blocksX * c.blocksY
	}
	return n
}

// allocate makes the planes. It returns ErrTruncated if the data are too short for the picture.
func (d *Decoder) allocate() error {
	if d.Cut() {
		return ErrTruncated
	}
	for i := range d.components {
		c := &d.components[i]
		if d.progressive {
			c.coeff = make([]int16, c.stride*c.rows)
			c.plane = make([]uint8, c.stride*windowRows)
			c.window = [2]int{-1, -1}
		} else {
			c.plane = make([]uint8, c.stride*c.rows)
		}
	}
	return nil
}

// windowRows is the number of sample rows of a progressive component in memory: two rows of blocks,
// because a row of the picture depends on at most two.
const windowRows = 16

// Memory returns the estimated peak of Decode in bytes, including its result.
func (d *Decoder) Memory() int64 {
	all := 3 * int64(d.Width) * int64(d.Height)
	for _, c := range d.components {
		if samples := int64(c.stride) * int64(c.rows); d.progressive {
			all += 2*samples + windowRows*int64(c.stride)
		} else {
			all += samples
		}
	}
	return all
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
