package embed

// positions is the geometry of a feature map of h×w positions over a square input
// of the given side in pixels.
type positions struct{ h, w, side int }

// append adds the regions of rows×cols nodes pooled adaptively from the map
// (its own positions where the counts are equal), rows outer.
func (p positions) append(dst []Region, rows, cols int) []Region {
	for i := range rows {
		y0, y1 := span(i, rows, p.h)
		for j := range cols {
			x0, x1 := span(j, cols, p.w)
			dst = append(dst, Region{
				X0: p.edge(x0, p.w), Y0: p.edge(y0, p.h),
				X1: p.edge(x1, p.w), Y1: p.edge(y1, p.h),
			})
		}
	}
	return dst
}

// edge is where the i-th of n positions begins, as a fraction of the side. The
// network halves its map some times, dropping an odd last row each time, so its
// stride is a power of two: the largest with which n positions fit. (84 pixels
// give 5 positions of 16, the last 4 pixels are seen only by convolutions.)
func (p positions) edge(i, n int) float32 {
	stride := 1
	for 2*stride*n <= p.side {
		stride *= 2
	}
	if stride*n > p.side {
		return float32(i) / float32(n)
	}
	return float32(i*stride) / float32(p.side)
}
