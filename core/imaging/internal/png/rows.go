package png

import (
	"fmt"
	"io"
)

// pass is an interlacing pass (section 8.1): every dx-th pixel of every dy-th row, starting at (x,
// y).
type pass struct{ x, y, dx, dy int }

// interlaced lists the passes of Adam7.
var interlaced = []pass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

func (d *Decoder) passes() []pass {
	if d.interlaced {
		return interlaced
	}
	return []pass{{0, 0, 1, 1}}
}

// pass reads the rows of a pass and writes their pixels to pix.
func (d *Decoder) pass(from io.Reader, pix []uint8, p pass) error {
	width := (d.Width - p.x + p.dx - 1) / p.dx
	if width <= 0 {
		return nil
	}
	size, step := d.rowBytes(width), (d.bits()+7)/8
	// A row has one zero pixel before its first, for filters.
	row, above := make([]uint8, step+size), make([]uint8, step+size)
	plain := make([]uint8, 3*width)
	alpha := make([]uint8, width)
	for y := p.y; y < d.Height; y += p.dy {
		if _, err := io.ReadFull(from, row[step-1:]); err == io.EOF {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			return err
		}
		filter := row[step-1]
		row[step-1] = 0
		if err := unfilter(filter, row, above, step); err != nil {
			return err
		}
		if d.read(plain, alpha, row[step:]) {
			d.Convert(plain, alpha)
		} else {
			d.Convert(plain, nil)
		}
		to := pix[3*(y*d.Width+p.x):]
		for i := range width {
			*(*[3]uint8)(to[i*3*p.dx:]) = [3]uint8(plain[3*i:])
		}
		row, above = above, row
	}
	return nil
}

// unfilter reverts a filter (section 9.2). Both rows begin with step zeros, the pixel to the left
// of the first.
func unfilter(filter byte, row, above []uint8, step int) error {
	left, third := row, above
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
		return FormatError(fmt.Sprintf("unknown row filter %d", filter))
	}
	return nil
}

// paeth returns the nearest of left, above and third (above left) to left + above − third (section
// 9.4).
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

// read converts a row to RGB. It reports whether some pixels may be transparent; then alpha is
// their opacity.
func (d *Decoder) read(rgb, alpha, row []uint8) (transparent bool) {
	switch {
	case d.depth < 8:
		return d.readBits(rgb, alpha, row)
	case d.kind == indexed:
		for i, v := range row {
			*(*[3]uint8)(rgb[3*i:]) = d.palette[v]
		}
		return d.lookUp(alpha, row)
	}
	sample, n := d.depth/8, channels[d.kind] // bytes, samples of a pixel
	for i := range alpha {
		p := row[i*n*sample:][:n*sample]
		if d.kind == gray || d.kind == grayAlpha {
			*(*[3]uint8)(rgb[3*i:]) = [3]uint8{p[0], p[0], p[0]}
		} else {
			*(*[3]uint8)(rgb[3*i:]) = [3]uint8{p[0], p[sample], p[2*sample]}
		}
	}
	switch {
	case d.kind == grayAlpha || d.kind == rgbAlpha:
		for i := range alpha {
			alpha[i] = row[(i*n+n-1)*sample]
		}
	case d.key != nil:
		for i := range alpha {
			if alpha[i] = 255; d.isKey(row[i*n*sample:], sample) {
				alpha[i] = 0
			}
		}
	default:
		return false
	}
	return true
}

// isKey reports whether a pixel, with the given number of bytes per sample, has the transparent
// color.
func (d *Decoder) isKey(pixel []uint8, sample int) bool {
	for c, want := range d.key {
		v := uint16(pixel[c*sample])
		if sample == 2 {
			v = v<<8 | uint16(pixel[c*sample+1])
		}
		if v != want {
			return false
		}
	}
	return true
}

// lookUp writes the opacity of palette colors, and reports whether any can be transparent.
func (d *Decoder) lookUp(alpha, colors []uint8) bool {
	if d.opacity == nil {
		return false
	}
	for i, v := range colors {
		if alpha[i] = 255; int(v) < len(d.opacity) {
			alpha[i] = d.opacity[v]
		}
	}
	return true
}

// readBits is read for pixels that share bytes, first in the highest bits.
func (d *Decoder) readBits(rgb, alpha, row []uint8) (transparent bool) {
	most := 1<<d.depth - 1
	for i := range alpha {
		bit := i * d.depth
		v := int(row[bit/8]) >> (8 - d.depth - bit%8) & most
		if d.kind == indexed {
			*(*[3]uint8)(rgb[3*i:]) = d.palette[v]
			alpha[i] = uint8(v)
			continue
		}
		g := uint8(v * 255 / most)
		*(*[3]uint8)(rgb[3*i:]) = [3]uint8{g, g, g}
		if alpha[i] = 255; d.key != nil && v == int(d.key[0]) {
			alpha[i] = 0
		}
	}
	if d.kind == indexed {
		return d.lookUp(alpha, alpha)
	}
	return d.key != nil
}
