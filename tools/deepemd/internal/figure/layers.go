package figure

import "github.com/deepemd/deepemd/core/embed"

// Layer is a number of nodes that cover the picture once: a level of a pyramid, a
// grid. Layers are drawn one beside the other, because they would hide each other.
type Layer struct {
	Nodes  int
	Across int // how many there are in a row of a grid; 0 for no grid
}

// Layers are those of an embedder's nodes, of which there are n.
func Layers(e embed.Embedder, n int) []Layer {
	var layers []Layer
	switch e := e.(type) {
	case embed.FCN:
		for _, side := range e.Pyramid {
			layers = append(layers, Layer{side * side, side})
			n -= side * side
		}
		layers = append(layers, Layer{Nodes: n}) // positions of the map do not overlap
	case embed.Grid:
		for _, side := range e.Levels {
			layers = append(layers, Layer{side * side, side})
		}
	default:
		layers = []Layer{{Nodes: n}}
	}
	return layers
}

// layer is a Layer with the numbers of its nodes.
type layer struct {
	nodes  []int
	across int
}

// layers part n nodes.
func (s *Subject) layers(n int) []layer {
	var layers []layer
	at := 0
	for _, l := range s.Layers {
		layers = append(layers, layer{numbers(at, l.Nodes), l.Across})
		at += l.Nodes
	}
	if at == n && n > 0 {
		return layers
	}
	return []layer{{nodes: numbers(0, n)}}
}

// numbers are n numbers from first on.
func numbers(first, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = first + i
	}
	return all
}
