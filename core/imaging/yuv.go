package imaging

import "image"

// fromVP8 converts the planes of a lossy WebP picture to RGB like libwebp: chroma at half
// resolution, interpolated by a triangle filter, and BT.601 with luma from 16 to 235. (Type
// image.YCbCr uses the nearest chroma sample and JFIF's full range.)
func fromVP8(planes *image.YCbCr) *Image {
	m := newImage(planes.Rect.Dx(), planes.Rect.Dy())
	half := (m.Width + 1) / 2
	last := (m.Height+1)/2 - 1
	u, v := make([]uint8, 2*half), make([]uint8, 2*half)
	for y := range m.Height {
		near := y / 2
		far := min(max(near-1+y&1*2, 0), last)
		doubleChroma(u, planes.Cb[near*planes.CStride:][:half], planes.Cb[far*planes.CStride:][:half])
		doubleChroma(v, planes.Cr[near*planes.CStride:][:half], planes.Cr[far*planes.CStride:][:half])
		yuvRow(m.row(y), planes.Y[y*planes.YStride:][:m.Width], u, v)
	}
	return m
}

// doubleChroma interpolates a row of chroma between its nearest and next nearest row of samples:
// (9a + 3b + 3c + d + 8)/16, in libwebp's order of rounding. Edge samples repeat.
func doubleChroma(dst, near, far []uint8) {
	last := len(near) - 1
	for i := range near {
		a, b := uint(near[i]), uint(far[i])
		left, right := max(i-1, 0), min(i+1, last)
		dst[2*i] = interpolate(a, uint(near[left]), b, uint(far[left]))
		dst[2*i+1] = interpolate(a, uint(near[right]), b, uint(far[right]))
	}
}

// interpolate interpolates the four chroma samples around a pixel.
func interpolate(nearest, along, across, opposite uint) uint8 {
	diagonal := (nearest + along + across + opposite + 8 + 2*(along+across)) >> 3
	return uint8((diagonal + nearest) >> 1)
}

// yuvRow converts a row to RGB (BT.601, limited range) with libwebp's factors: 14 fractional bits
// in the factors, 6 in the sums.
//
//	R = 1.164 (Y−16) + 1.596 (V−128)
//	G = 1.164 (Y−16) − 0.813 (V−128) − 0.391 (U−128)
//	B = 1.164 (Y−16) + 2.018 (U−128)
func yuvRow(dst, luma, u, v []uint8) {
	u, v = u[:len(luma)], v[:len(luma)]
	for x, l := range luma {
		y, cb, cr := int(l)*19077>>8, int(u[x]), int(v[x])
		p := (*[3]uint8)(dst[3*x:])
		p[0] = clip6(y + cr*26149>>8 - 14234)
		p[1] = clip6(y - cb*6419>>8 - cr*13320>>8 + 8708)
		p[2] = clip6(y + cb*33050>>8 - 17685)
	}
}

// clip6 drops six fractional bits and limits to eight bits.
func clip6(v int) uint8 { return uint8(min(max(v>>6, 0), 255)) }
