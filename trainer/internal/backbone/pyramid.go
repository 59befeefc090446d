package backbone

// Pyramid are the levels of a feature pyramid (DeepEMD, Table 3): for each level
// s a feature map is averaged to s×s nodes, and these come before the nodes of the
// map itself, as core/embed has them in inference.
type Pyramid []int

// Nodes is the number of nodes of a map of h×w pixels.
func (p Pyramid) Nodes(h, w int) int {
	n := h * w
	for _, s := range p {
		n += s * s
	}
	return n
}

// Forward writes the nodes of a map [h, w, c]: dst is [Nodes, c].
func (p Pyramid) Forward(dst, src []float32, h, w, c int) {
	p.each(h, w, func(node int, pixels func(do func(pixel int)), share float32) {
		row := dst[node*c:][:c]
		clear(row)
		pixels(func(pixel int) {
			for i, v := range src[pixel*c:][:c] {
				row[i] += v * share
			}
		})
	})
	copy(dst[(p.Nodes(h, w)-h*w)*c:], src[:h*w*c])
}

// Backward sets the gradient of the map from that of the nodes.
func (p Pyramid) Backward(dsrc, dnodes []float32, h, w, c int) {
	copy(dsrc[:h*w*c], dnodes[(p.Nodes(h, w)-h*w)*c:])
	p.each(h, w, func(node int, pixels func(do func(pixel int)), share float32) {
		row := dnodes[node*c:][:c]
		pixels(func(pixel int) {
			to := dsrc[pixel*c:][:c]
			for i, g := range row {
				to[i] += g * share
			}
		})
	})
}

// each calls do for every node of the levels, with the pixels that it is the mean
// of, and the share of each. The windows are those of adaptive average pooling:
// from ⌊i·n/s⌋ to ⌈(i+1)·n/s⌉.
func (p Pyramid) each(h, w int, do func(node int, pixels func(do func(pixel int)), share float32)) {
	node := 0
	for _, s := range p {
		for y := range s {
			for x := range s {
				top, bottom := y*h/s, ((y+1)*h+s-1)/s
				left, right := x*w/s, ((x+1)*w+s-1)/s
				do(node, func(do func(pixel int)) {
					for py := top; py < bottom; py++ {
						for px := left; px < right; px++ {
							do(py*w + px)
						}
					}
				}, 1/float32((bottom-top)*(right-left)))
				node++
			}
		}
	}
}

// Unaverage sets the gradient of a map [h, w, c] from that of its adaptive averages
// [n, n, c].
func Unaverage(dsrc, dcells []float32, h, w, c, n int) {
	clear(dsrc[:h*w*c])
	Pyramid{n}.each(h, w, func(cell int, pixels func(do func(pixel int)), share float32) {
		row := dcells[cell*c:][:c]
		pixels(func(pixel int) {
			to := dsrc[pixel*c:][:c]
			for i, g := range row {
				to[i] += g * share
			}
		})
	})
}
