package gallery

import (
	"encoding/binary"
	"math"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
)

// codebook encodes nodes: the number of the nearest centroid, and for each channel one of four
// levels of the residual, multiplied by a scale per node. These are the residual codes of
// late-interaction search (Santhanam et al., "PLAID: An Efficient Engine for Late Interaction
// Retrieval", 2022), with two bits per channel.
//
// A picture's record has for each node the centroid u8, the scale f32, and the levels, four
// channels per byte with the first in the lowest bits.
type codebook struct {
	channels  int
	centroids []float32           // [centroids, channels]
	levels    [levelCount]float32 // ascending

	nearest *nearest
	words   [256][4]float32 // the levels of each byte
}

// record returns the size in bytes of a picture with n nodes.
func (b *codebook) record(nodes int) int { return nodes * b.node() }

// node returns the size in bytes of a node.
func (b *codebook) node() int { return 1 + 4 + (b.channels+3)/4 }

// prepared computes the tables for coding.
func (b *codebook) prepared() *codebook {
	b.nearest = newNearest(b.centroids, b.channels)
	for i := range b.words {
		for k := range b.words[i] {
			b.words[i][k] = b.levels[i>>(2*k)&3]
		}
	}
	return b
}

// centroid returns the i-th centroid.
func (b *codebook) centroid(i int) []float32 { return b.centroids[i*b.channels:][:b.channels] }

// encode writes the record of a set to dst, whose bytes must be zero.
func (b *codebook) encode(dst []byte, set *embed.Set) {
	at := make([]int, set.N)
	b.nearest.of(at, set.Data)
	left := make([]float32, b.channels)
	for i, a := range at {
		part := dst[i*b.node():][:b.node()]
		part[0] = byte(a)
		edges := edgesOf(b.levels, residual(left, set.Node(i), b.centroid(a)))
		var counts [levelCount]int
		var sums [levelCount]float32
		for c, v := range left {
			k := edges.level(v)
			part[5+c/4] |= byte(k << (c % 4 * 2))
			counts[k]++
			sums[k] += v
		}
		var product, square float64 // levels · residuals, levels · levels
		for k, v := range b.levels {
			product += float64(v) * float64(sums[k])
			square += float64(v) * float64(v) * float64(counts[k])
		}
		scale := 0.
		if square > 0 {
			scale = product / square
		}
		binary.LittleEndian.PutUint32(part[1:], math.Float32bits(float32(scale)))
	}
}

// decode writes the nodes of a record to dst, [nodes, channels].
func (b *codebook) decode(dst []float32, record []byte) {
	for len(dst) > 0 {
		part, node := record[:b.node()], dst[:b.channels]
		record, dst = record[b.node():], dst[b.channels:]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(part[1:]))
		centroid := b.centroid(min(int(part[0]), len(b.centroids)/b.channels-1))
		codes := part[5:]
		for len(node) >= 4 {
			word := &b.words[codes[0]]
			node[0], node[1] = centroid[0]+scale*word[0], centroid[1]+scale*word[1]
			node[2], node[3] = centroid[2]+scale*word[2], centroid[3]+scale*word[3]
			node, centroid, codes = node[4:], centroid[4:], codes[1:]
		}
		for c := range node {
			node[c] = centroid[c] + scale*b.words[codes[0]][c]
		}
	}
}

// edges are the values between ascending levels.
type edges [levelCount - 1]float32

func edgesOf(levels [levelCount]float32, unit float32) (e edges) {
	for k := range e {
		e[k] = unit * (levels[k] + levels[k+1]) / 2
	}
	return e
}

// level returns the index of the nearest level.
func (e *edges) level(v float32) (k int) {
	for _, edge := range e {
		if v > edge {
			k++
		}
	}
	return k
}

// residual writes the difference of a node and its centroid to dst, and returns its root mean square.
func residual(dst, node, centroid []float32) float32 {
	sum := 0.
	for i, v := range node {
		dst[i] = v - centroid[i]
		sum += float64(dst[i]) * float64(dst[i])
	}
	return float32(math.Sqrt(sum / float64(len(dst))))
}

// nearest finds the nearest centroids of nodes.
type nearest struct {
	channels, count int
	packed          []float32 // the centroids, for matrix products
	half            []float32 // [count], half the squared norms
	products        []float32
}

// newNearest prepares centroids, [count, channels].
func newNearest(centroids []float32, channels int) *nearest {
	n := &nearest{channels: channels, count: len(centroids) / channels}
	n.packed = kernel.Best().PackColumns(nil, centroids, channels, n.count, channels)
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

// of writes the index of the centroid nearest to each node to dst, for nodes [len(dst), channels].
// Of equally near centroids the first counts.
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
