package png

import (
	"fmt"
	"io"
)

// pass is a part of the picture that is stored as one of its own (section 8.1): every
// dx-th pixel of every dy-th row, from (x, y) on.
type pass struct{ x, y, dx, dy int }

// interlaced are the passes of Adam7.
var interlaced = []pass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

func (d *Decoder) passes() []pass {
	if d.interlaced {
		return interlaced
	}
	return []pass{{0, 0, 1, 1}}
}

// pass reads the rows of a pass and writes their pixels to where they belong.
func (d *Decoder) pass(from io.Reader, pix []uint8, p pass) error {
	width := (d.Width - p.x + p.dx - 1) / p.dx
	if width <= 0 {
		return nil // such passes have no rows
	}
	size, step := d.rowBytes(width), (d.bits()+7)/8
	// A row is after the number of its filter, and a pixel of zeros, which is at the left
	// of the first one.
	row, above := make([]uint8, step+size), make([]uint8, step+size)
	var filter [1]byte
	for y := p.y; y < d.Height; y += p.dy {
		if _, err := io.ReadFull(from, filter[:]); err != nil {
			return cut(err)
		}
		if _, err := io.ReadFull(from, row[step:]); err != nil {
			return cut(err)
		}
		if err := unfilter(filter[0], row, above, step); err != nil {
			return err
		}
		d.write(pix[3*(y*d.Width+p.x):], 3*p.dx, row[step:], width)
		row, above = above, row
	}
	return nil
}

// cut turns the end of the data into one that came too early.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// unfilter undoes a filter (section 9.2). Both rows begin with step zeros, what is at the
// left of the first pixel.
func unfilter(filter byte, row, above []uint8, step int) error {
	left, third := row, above // behind by a pixel
	row, above = row[step:], above[step:]
	left, third, above = left[:len(row)], third[:len(row)], above[:len(row)]
	switch filter {
	case 0:
	case 1:
		for i := range row {
			row[i] += left[i]
		}
	case 2:
		for i, v := range above {
			row[i] += v
		}
	case 3:
		for i, v := range above {
			row[i] += uint8((int(left[i]) + int(v)) / 2)
		}
	case 4:
		for i, v := range above {
			row[i] += paeth(left[i], v, third[i])
		}
	default:
		return FormatError(fmt.Sprintf("filter %d of a row", filter))
	}
	return nil
}

// paeth is that of left, above and the one above left which is nearest to
// left + above − the third (section 9.4).
func paeth(left, above, third uint8) uint8 {
	a, b := int(above)-int(third), int(left)-int(third)
	c := max(a+b, -a-b)
	a, b = max(a, -a), max(b, -b)
	switch {
	case a <= b && a <= c:
		return left
	case b <= c:
		return above
	}
	return third
}

// write writes n pixels of a row as RGB, one every step bytes of dst.
func (d *Decoder) write(dst []uint8, step int, row []uint8, n int) {
	sample := max(d.depth/8, 1) // bytes
	switch {
	case d.depth < 8:
		d.writeBits(dst, step, row, n)
	case d.kind == indexed:
		for i, v := range row[:n] {
			*(*[3]uint8)(dst[i*step:]) = d.palette[v]
		}
	case d.kind == grey || d.kind == greyAlpha:
		for i := range n {
			v := row[i*sample*channels[d.kind]]
			*(*[3]uint8)(dst[i*step:]) = [3]uint8{v, v, v}
		}
	default:
		pixel := sample * channels[d.kind]
		for i := range n {
			p := row[i*pixel:][:2*sample+1]
			*(*[3]uint8)(dst[i*step:]) = [3]uint8{p[0], p[sample], p[2*sample]}
		}
	}
}

// writeBits is write of pixels that share bytes, the first in the highest bits.
func (d *Decoder) writeBits(dst []uint8, step int, row []uint8, n int) {
	most := 1<<d.depth - 1
	for i := range n {
		bit := i * d.depth
		v := int(row[bit/8]) >> (8 - d.depth - bit%8) & most
		if d.kind == indexed {
			*(*[3]uint8)(dst[i*step:]) = d.palette[v]
			continue
		}
		g := uint8(v * 255 / most)
		*(*[3]uint8)(dst[i*step:]) = [3]uint8{g, g, g}
	}
}
