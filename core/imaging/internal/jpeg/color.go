package jpeg

// colorModel is how the components of a file describe colors.
type colorModel int

const (
	gray colorModel = iota
	rgb
	yCbCr
	cmyk
	yCCK
)

// model chooses the color model like libjpeg: by the JFIF marker, by Adobe's, or by the names
// of the components.
func (d *Decoder) model() colorModel {
	switch len(d.components) {
	case 1:
		return gray
	case 4:
		if d.adobe <= 0 {
			return cmyk
		}
		return yCCK
	}
	if d.jfif {
		return yCbCr
	}
	c := d.components
	if d.adobe == 0 || d.adobe < 0 && c[0].id == 'R' && c[1].id == 'G' && c[2].id == 'B' {
		return rgb
	}
	return yCbCr
}

// pixels upsamples the planes and converts them to RGB, row by row.
func (d *Decoder) pixels() []uint8 {
	samplers := make([]sampler, len(d.components))
	for i := range d.components {
		samplers[i] = d.components[i].sampler(d.maxH, d.maxV)
	}
	pix := make([]uint8, 3*d.Width*d.Height)
	var rows [4][]uint8
	for y := range d.Height {
		for i, s := range samplers {
			rows[i] = s(y)[:d.Width]
		}
		out := pix[3*d.Width*y:][:3*d.Width]
		switch d.colors {
		case gray:
			interleave(out, rows[0], rows[0], rows[0])
		case rgb:
			interleave(out, rows[0], rows[1], rows[2])
		case yCbCr:
			convert(out, rows[0], rows[1], rows[2])
		case cmyk:
			interleave(out, rows[0], rows[1], rows[2])
			blacken(out, rows[3])
		case yCCK:
			convert(out, rows[0], rows[1], rows[2])
			for i, v := range out {
				out[i] = 255 - v
			}
			blacken(out, rows[3])
		}
	}
	return pix
}

// interleave combines three rows to RGB pixels.
func interleave(out, r, g, b []uint8) {
	g, b = g[:len(r)], b[:len(r)]
	for x, v := range r {
		p := (*[3]uint8)(out[3*x:])
		p[0], p[1], p[2] = v, g[x], b[x]
	}
}

// convert converts a row of YCbCr to RGB (JFIF 1.02), with 16 fractional bits:
//
//	R = Y + 1.402 (Cr−128)
//	G = Y − 0.34414 (Cb−128) − 0.71414 (Cr−128)
//	B = Y + 1.772 (Cb−128)
func convert(out, luma, cb, cr []uint8) {
	const half = 1 << 15
	cb, cr = cb[:len(luma)], cr[:len(luma)]
	for x, v := range luma {
		y, u, w := int32(v), int32(cb[x])-128, int32(cr[x])-128
		p := (*[3]uint8)(out[3*x:])
		p[0] = limit(y + (91881*w+half)>>16)
		p[1] = limit(y + (-22554*u-46802*w+half)>>16)
		p[2] = limit(y + (116130*u+half)>>16)
	}
}

func limit(v int32) uint8 { return uint8(min(max(v, 0), 255)) }

// blacken converts a row of inverted cyan, magenta and yellow, as Adobe writes inks, with the
// inverted black to RGB, with Pillow's rounding: out·k/255.
func blacken(out, black []uint8) {
	for x, v := range black {
		k := uint32(v)
		p := (*[3]uint8)(out[3*x:])
		for i, ink := range p {
			t := uint32(255-ink)*k + 128
			p[i] = uint8(k - (t+t>>8)>>8)
		}
	}
}
