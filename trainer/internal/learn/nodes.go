package learn

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// nodes says how the feature maps of what the network takes of a picture become
// the picture's nodes, and how gradients go back.
type nodes interface {
	// inputs is the number of maps of a picture.
	inputs() int
	// count is the number of nodes of a picture whose maps have h×w positions.
	count(h, w int) int
	// forward writes the nodes [count, c] of the maps [inputs, h, w, c].
	forward(dst, maps []float32, h, w, c int)
	// backward sets the gradient of the maps from that of the nodes.
	backward(dmaps, dnodes []float32, h, w, c int)
}

// nodesOf returns the nodes of an embedder.
func nodesOf(e embed.Embedder) nodes {
	switch e := e.(type) {
	case embed.Grid:
		cells := 0
		for _, n := range e.Levels {
			cells += n * n
		}
		return averages(cells)
	case embed.Sampling:
		return averages(e.Patches)
	case embed.FCN:
		return positions{e.Pyramid}
	}
	panic("meta: an embedder without a gradient")
}

// positions are the nodes of FCN: a picture is one input of the network, whose map
// has a node at each position, after those of a pyramid.
type positions struct{ pyramid backbone.Pyramid }

func (positions) inputs() int { return 1 }

func (p positions) count(h, w int) int { return p.pyramid.Nodes(h, w) }

func (p positions) forward(dst, maps []float32, h, w, c int) { p.pyramid.Forward(dst, maps, h, w, c) }

func (p positions) backward(dmaps, dnodes []float32, h, w, c int) {
	p.pyramid.Backward(dmaps, dnodes, h, w, c)
}

// averages are the nodes of Grid and Sampling: a picture is so many crops, and the
// mean of each one's map is a node (average pooling).
type averages int

func (n averages) inputs() int { return int(n) }

func (n averages) count(int, int) int { return int(n) }

func (n averages) forward(dst, maps []float32, h, w, c int) {
	scale := 1 / float32(h*w)
	for i := range int(n) {
		node := dst[i*c:][:c]
		clear(node)
		for at := range h * w {
			for k, v := range maps[(i*h*w+at)*c:][:c] {
				node[k] += v
			}
		}
		for k := range node {
			node[k] *= scale
		}
	}
}

func (n averages) backward(dmaps, dnodes []float32, h, w, c int) {
	backbone.AveragePoolGradient(dmaps, dnodes, int(n), h, w, c, c)
}
