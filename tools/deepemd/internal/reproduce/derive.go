package reproduce

import (
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Some embedders are made of what others have computed already: pyramids of a
// network's map from the map, several grids from each of them, few random crops
// from many. So a picture passes through the network once.

// bases are the embedders whose features those of c are made of. most is the
// largest number of random crops that anybody asks for.
func bases(c method.Embedder, most int) []method.Embedder {
	switch c.Kind {
	case method.Grid:
		var list []method.Embedder
		for _, level := range c.Grid {
			list = append(list, method.Embedder{Kind: c.Kind, Grid: []int{level}, Ratio: c.Ratio})
		}
		return list
	case method.Sampling:
		c.Patches = max(c.Patches, most)
	}
	c.Pyramid = nil
	return []method.Embedder{c}
}

// derive makes the features of c from those of its bases, in their order, of
// pictures of so many pixels.
func derive(c method.Embedder, of []evaluate.Features, side int) evaluate.Features {
	if len(of) == 1 && len(c.Pyramid) == 0 && c.Kind != method.Sampling {
		return of[0]
	}
	features := make(evaluate.Features, len(of[0]))
	for name, first := range of[0] {
		switch {
		case c.Kind == method.Sampling:
			features[name] = &embed.Set{N: c.Patches, C: first.C, Data: first.Data[:c.Patches*first.C]}
		case len(c.Pyramid) > 0:
			features[name] = pyramid(c.Pyramid, first, side)
		default:
			features[name] = concatenated(name, of)
		}
	}
	return features
}

// pyramid puts the levels of a feature pyramid before the nodes of a square map.
func pyramid(levels []int, fmap *embed.Set, side int) *embed.Set {
	width := 1
	for width*width < fmap.N {
		width++
	}
	crop := embed.Crop{Picture: &imaging.Image{Width: side, Height: side}, Region: embed.Region{X1: 1, Y1: 1}}
	return embed.FCN{Pyramid: levels}.Set([]embed.Crop{crop}, tensor.Of(fmap.Data, 1, width, width, fmap.C))
}

// concatenated is a picture's nodes of several embedders, one after the other.
func concatenated(name string, of []evaluate.Features) *embed.Set {
	all := &embed.Set{C: of[0][name].C}
	for _, features := range of {
		set := features[name]
		all.N += set.N
		all.Data = slices.Concat(all.Data, set.Data)
	}
	return all
}
