package gallery

import "github.com/deepemd/deepemd/internal/kernel"

// nearest finds the nearest of some centroids.
type nearest struct {
	channels, count int
	packed          []float32 // for products with all centroids
	half            []float32 // of each, half the square of its length; those that fill up are far
	products        []float32
}

// newNearest prepares centroids, [count, channels].
func newNearest(centroids []float32, channels int) *nearest {
	n := &nearest{channels: channels, count: len(centroids) / channels}
	columns := kernel.Pad(n.count)
	n.packed = make([]float32, kernel.PackedLen(channels, columns))
	kernel.Best().Pack(n.packed, channels, columns, func(k, i int) float32 {
		if i >= n.count {
			return 0
		}
		return centroids[i*channels+k]
	})
	n.half = make([]float32, n.count)
	for i := range n.half {
		sum := 0.
		for _, v := range centroids[i*channels:][:channels] {
			sum += float64(v) * float64(v)
		}
		n.half[i] = float32(sum / 2)
	}
	return n
}

// of writes the numbers of the centroids nearest to nodes, [len(dst), channels]; of equally
// near ones the first.
func (n *nearest) of(dst []int, nodes []float32) {
	columns := kernel.Pad(n.count)
	if len(n.products) < len(dst)*columns {
		n.products = make([]float32, len(dst)*columns)
	}
	kernel.Best().Gemm(len(dst), n.channels, columns, nodes, n.channels, n.packed, n.products, columns, false)
	for i := range dst {
		row := n.products[i*columns:][:n.count]
		best := 0
		for k, v := range row {
			if v-n.half[k] > row[best]-n.half[best] {
				best = k
			}
		}
		dst[i] = best
	}
}
