package embed

// grid is the geometry of a feature map of h×w positions over a square input
// of the given side in pixels.
type grid struct{ h, w, side int }

// append adds the regions of rows×cols nodes pooled adaptively from the map
// (its own positions where the counts are equal), rows outer.
func (g grid) append(dst []Region, rows, cols int) []Region {
	for i := range rows {
		y0, y1 := span(i, rows, g.h)
		for j := range cols {
			x0, x1 := span(j, cols, g.w)
			dst = append(dst, Region{
				X0: g.edge(x0, g.w), Y0: g.edge(y0, g.h),
				X1: g.edge(x1, g.w), Y1: g.edge(y1, g.h),
			})
		}
	}
	return dst
}

// edge is where the i-th of n positions begins, as a fraction of the side. The
// network halves its map some times, dropping an odd last row each time, so its
// stride is a power of two: the largest with which n positions fit. (84 pixels
// give 5 positions of 16, the last 4 pixels are seen only by convolutions.)
func (g grid) edge(i, n int) float32 {
	stride := 1
	for 2*stride*n <= g.side {
		stride *= 2
	}
	if stride*n > g.side {
		return float32(i) / float32(n)
	}
	return float32(i*stride) / float32(g.side)
}
