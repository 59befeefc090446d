package embed

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// FCN is the fully convolutional embedder of DeepEMD, section 3.4: one node per position of the
// final feature map.
type FCN struct {
	// Pyramid lists additional levels (P_feat of Table 3): each s adds s×s nodes by adaptive
	// average pooling. They precede the nodes of the raw map, in the order of the list, as in the
	// reference.
	Pyramid []int
}

// View implements Embedder: the Size×Size pixels that the network takes.
func (FCN) View(pre imaging.Preprocess, img *imaging.Image) *imaging.Image { return pre.Pixels(img) }

// Crops implements Embedder: the view, uncut.
func (FCN) Crops(_ imaging.Preprocess, view *imaging.Image) []Crop {
	return []Crop{{Picture: view, Region: whole}}
}

// Set implements Embedder: the nodes of the pyramid's levels, then the map's positions.
func (f FCN) Set(crops []Crop, maps *tensor.Tensor) *Set {
	maps.MustShape("feature maps", len(crops), -1, -1, -1)
	return f.set(output{fmap: maps.Row(0), h: maps.Shape[1], w: maps.Shape[2], c: maps.Shape[3]}, crops[0].Picture.Width)
}

// EmbedInput is Embed for pictures as normalized network input, [n, side, side, 3].
//
// It returns an error for a tensor of another shape, and errors of the network.
func (f FCN) EmbedInput(enc Encoder, input *tensor.Tensor) ([]*Set, error) {
	if !input.HasShape(-1, -1, -1, 3) || input.Shape[1] != input.Shape[2] {
		return nil, fmt.Errorf("embed: input of shape %v, want [images side side 3]", input.Shape)
	}
	n, side := input.Shape[0], input.Shape[1]
	sets := make([]*Set, 0, n)
	pixels, most := side*side*3, passSize(enc)
	for at := 0; at < n; at += most {
		count := min(n-at, most)
		batch := tensor.Of(input.Data[at*pixels:][:count*pixels], count, side, side, 3)
		err := forwardBatch(enc, batch, func(seen output) {
			sets = append(sets, f.set(seen, side))
		})
		if err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// set returns the set for the network's output of one input with the given side.
func (f FCN) set(seen output, side int) *Set {
	h, w, c := seen.h, seen.w, seen.c
	n := h * w
	for _, s := range f.Pyramid {
		n += s * s
	}
	set := &Set{N: n, C: c, Data: make([]float32, n*c), Regions: make([]Region, 0, n), Summary: slices.Clone(seen.summary)}
	places := positions{h: h, w: w, side: side}
	at := 0
	for _, s := range f.Pyramid {
		PoolMap(set.Data[at:][:s*s*c], seen.fmap, h, w, c, s)
		set.Regions = places.append(set.Regions, s, s)
		at += s * s * c
	}
	copy(set.Data[at:], seen.fmap)
	set.Regions = places.append(set.Regions, h, w)
	return set
}

// span returns the input interval [from, to) of output cell i when an axis of the given length is
// pooled adaptively to n cells: ⌊i·length/n⌋ to ⌈(i+1)·length/n⌉. Spans overlap if n does not
// divide the length, and repeat cells if n exceeds it.
func span(i, n, length int) (from, to int) { return i * length / n, ((i+1)*length + n - 1) / n }

// PoolMap averages a feature map, [h, w, c], adaptively to n×n cells, like PyTorch's
// AdaptiveAvgPool2d. dst, [n, n, c], must not overlap src.
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

// positions is the geometry of a feature map of h×w positions over a square input with the given
// side in pixels.
type positions struct{ h, w, side int }

// append appends the regions of rows×cols nodes, pooled adaptively from the map, row by row.
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

// edge returns the beginning of the i-th of n positions as a fraction of the side. A ResNet-12
// halves its map up to four times and drops an odd last row each time, so its stride is a power of two:
// with 84 pixels it has 5 positions of 16, and only convolutions see the last 4 pixels. Other maps, of
// patches or pooled, divide the side evenly.
func (p positions) edge(i, n int) float32 {
	for stride := 1; stride <= 16; stride *= 2 {
		if p.side/stride == n {
			return float32(i*stride) / float32(p.side)
		}
	}
	return float32(i) / float32(n)
}
