package figure

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/draw"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
)

// least is the share of the mass below which a flow is too thin to draw.
const least = 0.001

// Overview draws both images side by side, with places as bright as their weight, and the flow as
// lines as thick as their mass. A line has the color of its place in the first image.
func (s *Subject) Overview() image.Image {
	const width, between = 1160, 150
	side := (width - 2*margin - between) / 2.
	text := "Every line takes weight from a place of the left picture to the place of the right one that resembles it: the thicker, the more. Bright places weigh much, dark ones little."
	if len(s.layers(s.Explanation.From.N())) > 1 {
		text += " Rings are nodes that see a larger part of the picture."
	}
	c, top := newPage(s.header("How the pictures match", text),
		width, caption+side, s.Scale)
	from, to := rgba(s.From.View), rgba(s.To.View)
	left := c.captioned(rect{margin, top + caption, side, side}, s.From.Name, from)
	right := c.captioned(rect{margin + side + between, top + caption, side, side}, s.To.Name, to)
	c.dimmed(c.pixels(left), s.Explanation.From)
	c.dimmed(c.pixels(right), s.Explanation.To)
	s.lines(c, left, right)
	return c.img
}

// dimmed darkens a drawn image by its places' weights.
func (c *canvas) dimmed(pixels image.Rectangle, side answer.Side) {
	field := side.Heat(pixels.Dx(), pixels.Dy())
	most := max(slices.Max(field), 1e-12)
	const dark = 0.16
	for y := range pixels.Dy() {
		for x := range pixels.Dx() {
			pix := c.img.Pix[c.img.PixOffset(pixels.Min.X+x, pixels.Min.Y+y):][:3]
			light := dark + (1-dark)*math.Sqrt(field[y*pixels.Dx()+x]/most)
			for k, v := range pix {
				pix[k] = uint8(math.Round(float64(v) * light))
			}
		}
	}
}

// lines draws the flow, thick lines above thin ones.
func (s *Subject) lines(c *canvas, left, right rect) {
	e := s.Explanation
	links := e.Links(least)
	if len(links) == 0 {
		return
	}
	const thickest = 8.
	most := links[0].Flow
	paint := func(node int) color.RGBA {
		r := e.From[node].Region
		return placeHue(float64(r.X0+r.X1)/2, float64(r.Y0+r.Y1)/2)
	}
	from, to := s.places(left, e.From), s.places(right, e.To)
	slices.Reverse(links)
	for _, l := range links {
		share := l.Flow / most
		thick := max(0.8, thickest*share)
		a, b := from[l.From].at, to[l.To].at
		c.curve(a, b, thick+1.6, seeThrough(paper, 0.25+0.35*share))
		c.curve(a, b, thick, seeThrough(paint(l.From), 0.35+0.6*share))
	}
	for i, p := range from {
		c.lineEnd(p, paint(i))
	}
	back := e.Reverse()
	for j, p := range to {
		if best := back.Best(j); best >= 0 {
			c.lineEnd(p, paint(best))
		}
	}
}

// lineEnd is the end of a node's lines.
type lineEnd struct {
	at     point
	radius float64
	ring   bool
}

// places returns the ends of the lines in an image that fills r: the centers of the nodes' regions,
// larger for heavier nodes. Nodes of coarser layers are rings with an offset, because they share
// their centers with others.
func (s *Subject) places(r rect, side answer.Side) []lineEnd {
	const largest, offset = 7., 11.
	bright := side.Brightness()
	places := make([]lineEnd, side.N())
	layers := s.layers(side.N())
	size := func(l layer) float64 {
		seen := fitRegion(rect{0, 0, 1, 1}, side[l.nodes[0]].Region)
		return seen.w * seen.h
	}
	for _, l := range layers {
		coarser := 0. // the number of finer layers
		for _, other := range layers {
			if size(l) > size(other) {
				coarser++
			}
		}
		for _, i := range l.nodes {
			at := fitRegion(r, side[i].Region).center()
			places[i] = lineEnd{
				at:     point{at.x + coarser*offset, at.y - coarser*offset},
				radius: max(2.5, largest*math.Sqrt(bright[i])),
				ring:   coarser > 0,
			}
		}
	}
	return places
}

func (c *canvas) lineEnd(p lineEnd, paint color.RGBA) {
	c.disc(p.at, p.radius+1, seeThrough(paper, 0.75))
	c.disc(p.at, p.radius, paint)
	if p.ring {
		c.disc(p.at, p.radius*0.5, paper)
	}
}

// dimmest is the brightness of a node without weight: its patch is barely visible.
const dimmest = 0.06

// mosaic rebuilds the image of e.From from the best matches of a layer's nodes: every place shows
// the patch of to that receives most of its node's weight, as bright as the node's share of the
// largest weight. Places without a node, and of nodes without flow, stay empty.
func mosaic(e *answer.Match, l layer, to image.Image, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Rect, image.NewUniform(panel), image.Point{}, draw.Src)
	owner := owners(e.From, l, width, height)
	bright := e.From.Brightness()
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

// owners returns the node of a layer that each pixel shows, or −1. The nodes of a grid share the
// area evenly, even if their regions overlap; otherwise the smallest region is on top.
func owners(nodes answer.Side, l layer, width, height int) []int {
	owner := slices.Repeat([]int{-1}, width*height)
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

// cells divides the area of a grid evenly among its places, row by row.
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

// separate darkens the pixels at the borders between nodes.
func separate(img *image.RGBA, owner []int) {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	for y := range height {
		for x := range width {
			k := y*width + x
			if (x+1 < width && owner[k] != owner[k+1]) || (y+1 < height && owner[k] != owner[k+width]) {
				img.SetRGBA(x, y, paper)
			}
		}
	}
}

// layer is a set of nodes that cover the image once: a level of a pyramid, or a grid. Layers are drawn
// separately because they overlap.
type layer struct {
	nodes  []int
	across int // nodes in a row of a grid; 0 if it is not a grid
}

// layers divides the n nodes of an image into the embedder's layers. Nodes that were merged are one layer.
func (s *Subject) layers(n int) []layer {
	var grids []int // their nodes in a row
	switch e := s.Embedder.(type) {
	case embed.FCN:
		grids = e.Pyramid
	case embed.Grid:
		grids = e.Levels
	}
	if n != s.Nodes {
		grids = nil
	}
	var layers []layer
	at := 0
	for _, side := range grids {
		layers = append(layers, layer{numbers(at, side*side), side})
		at += side * side
	}
	if at < n || n == 0 {
		layers = append(layers, layer{nodes: numbers(at, n-at)}) // positions of the map do not overlap
	}
	return layers
}

// numbers returns n consecutive integers.
func numbers(first, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = first + i
	}
	return all
}
