package embed

// span is the half-open interval of input cells that output cell i of n
// averages, when an axis of the given length is pooled adaptively to n cells:
// from ⌊i·length/n⌋ to ⌈(i+1)·length/n⌉. Spans overlap where n does not divide
// the length, and repeat cells where n exceeds it.
func span(i, n, length int) (from, to int) {
	return i * length / n, ((i+1)*length + n - 1) / n
}

// PoolMap averages a feature map, [h, w, c], adaptively to n×n cells, exactly as
// PyTorch's AdaptiveAvgPool2d does. dst, [n, n, c], must not overlap src.
func PoolMap(dst, src []float32, h, w, c, n int) {
	for i := range n {
		y0, y1 := span(i, n, h)
		for j := range n {
			x0, x1 := span(j, n, w)
			cell := dst[(i*n+j)*c:][:c]
			clear(cell)
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					for k, v := range src[(y*w+x)*c:][:c] {
						cell[k] += v
					}
				}
			}
			rows, cols := float32(y1-y0), float32(x1-x0)
			for k := range cell {
				cell[k] = cell[k] / rows / cols
			}
		}
	}
}
