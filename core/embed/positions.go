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

// edge is where the i-th of n positions begins, as a fraction of the side. A network that
// halves its map some times drops an odd last row each time, so its stride is the power
// of two of which that many fit. (84 pixels give 5 positions of 16, the last 4 pixels are
// seen only by convolutions.) Where none is, the positions share the side evenly, as
// patches and pooled maps do.
func (p positions) edge(i, n int) float32 {
	for stride := 1; stride <= p.side; stride *= 2 {
		if p.side/stride == n {
			return float32(i*stride) / float32(p.side)
		}
	}
	return float32(i) / float32(n)
}
