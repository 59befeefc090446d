package figure

import (
	"cmp"
	"image"
	"math"
	"slices"

	"golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/answer"
)

// dimmest is how bright a node without weight is drawn: its patch can just be
// made out.
const dimmest = 0.06

// mosaic rebuilds the picture of e.From with the best matches of a layer's nodes:
// every place shows the patch of to that its node sends most to, as bright as the
// node's weight is of the largest. Places of no node stay empty, as do those of
// nodes that send nothing.
func mosaic(e *answer.Match, l layer, to image.Image, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Rect, image.NewUniform(panel), image.Point{}, draw.Src)
	owner := owners(e.From, l, width, height)
	bright := e.From.Brightness(nil)
	for _, i := range l.nodes {
		best := e.Best(i)
		if best < 0 {
			continue
		}
		place := part(out, e.From[i].Region)
		patch := image.NewRGBA(place)
		draw.CatmullRom.Scale(patch, place, to, part(to, e.To[best].Region), draw.Src, nil)
		light := dimmest + (1-dimmest)*bright[i]
		for y := place.Min.Y; y < place.Max.Y; y++ {
			for x := place.Min.X; x < place.Max.X; x++ {
				if owner[y*width+x] != i {
					continue
				}
				src, dst := patch.Pix[patch.PixOffset(x, y):][:3], out.Pix[out.PixOffset(x, y):][:3]
				for c, v := range src {
					dst[c] = uint8(math.Round(float64(v) * light))
				}
			}
		}
	}
	separate(out, owner)
	return out
}

// owners says which of a layer's nodes each pixel of a picture shows, −1 for none.
// Those of a grid share it out evenly, whatever their regions overlap; else the
// smallest region that holds a pixel lies on top.
func owners(nodes answer.Side, l layer, width, height int) []int {
	owner := make([]int, width*height)
	for k := range owner {
		owner[k] = -1
	}
	places := make([]image.Rectangle, 0, len(l.nodes))
	for _, i := range l.nodes {
		places = append(places, part(image.Rect(0, 0, width, height), nodes[i].Region))
	}
	order := numbers(0, len(places))
	if l.across > 0 {
		places = cells(places, l.across)
	} else {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(area(places[b]), area(places[a])) })
	}
	for _, k := range order {
		for y := places[k].Min.Y; y < places[k].Max.Y; y++ {
			for x := places[k].Min.X; x < places[k].Max.X; x++ {
				owner[y*width+x] = l.nodes[k]
			}
		}
	}
	return owner
}

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }

// cells shares what the places of a grid cover out among them, row by row.
func cells(places []image.Rectangle, across int) []image.Rectangle {
	var all image.Rectangle
	for _, place := range places {
		all = all.Union(place)
	}
	down := len(places) / across
	shared := make([]image.Rectangle, len(places))
	for k := range shared {
		x, y := k%across, k/across
		shared[k] = image.Rect(
			all.Min.X+x*all.Dx()/across, all.Min.Y+y*all.Dy()/down,
			all.Min.X+(x+1)*all.Dx()/across, all.Min.Y+(y+1)*all.Dy()/down,
		)
	}
	return shared
}

// separate darkens the pixels at which a node ends and another begins.
func separate(img *image.RGBA, owner []int) {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	for y := range height {
		for x := range width {
			k := y*width + x
			if (x+1 < width && owner[k] != owner[k+1]) || (y+1 < height && owner[k] != owner[k+width]) {
				pix := img.Pix[img.PixOffset(x, y):][:3]
				pix[0], pix[1], pix[2] = paper.R, paper.G, paper.B
			}
		}
	}
}
