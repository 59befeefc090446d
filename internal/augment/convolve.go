package augment

import (
	"cmp"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
)

// tap is a weight of a neighbour, as a share of unit.
type tap struct {
	dx, dy int
	weight int32
}

// unit is the sum of a filter's weights.
const unit = 1 << 16

// filter makes taps of weights at places, (dx, dy).
func filter(weights map[[2]int]float64) []tap {
	places := slices.SortedFunc(maps.Keys(weights), func(a, b [2]int) int { return cmp.Or(a[1]-b[1], a[0]-b[0]) })
	var sum float64
	for _, p := range places {
		sum += weights[p]
	}
	var taps []tap
	heaviest, spent := 0, int32(0)
	for _, p := range places {
		n := int32(weights[p] / sum * unit)
		if n == 0 {
			continue
		}
		taps = append(taps, tap{p[0], p[1], n})
		spent += n
		if n > taps[heaviest].weight {
			heaviest = len(taps) - 1
		}
	}
	taps[heaviest].weight += unit - spent // what rounding down has left: grey stays grey
	return taps
}

// convolve returns a picture each of whose pixels is the weighted sum of its
// neighbours; those beyond an edge are as the edge.
func convolve(img *imaging.Image, taps []tap) *imaging.Image {
	reach := 0
	for _, t := range taps {
		reach = max(reach, t.dx, -t.dx, t.dy, -t.dy)
	}
	padded := pad(img, reach)
	out := &imaging.Image{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	sums := make([]int32, 3*img.Width)
	for y := range img.Height {
		for i := range sums {
			sums[i] = unit / 2
		}
		for _, t := range taps {
			from := padded.Pix[3*((y+reach+t.dy)*padded.Width+reach+t.dx):][:len(sums)]
			for i, v := range from {
				sums[i] += int32(v) * t.weight
			}
		}
		row := out.Pix[3*y*img.Width:][:len(sums)]
		for i, s := range sums {
			row[i] = uint8(s / unit)
		}
	}
	return out
}

// pad repeats the edges of a picture.
func pad(img *imaging.Image, by int) *imaging.Image {
	out := &imaging.Image{Width: img.Width + 2*by, Height: img.Height + 2*by}
	out.Pix = make([]uint8, 3*out.Width*out.Height)
	for y := range out.Height {
		from := img.Pix[3*min(max(y-by, 0), img.Height-1)*img.Width:][:3*img.Width]
		to := out.Pix[3*y*out.Width:][:3*out.Width]
		for x := range by {
			copy(to[3*x:], from[:3])
			copy(to[3*(out.Width-1-x):], from[len(from)-3:])
		}
		copy(to[3*by:], from)
	}
	return out
}
