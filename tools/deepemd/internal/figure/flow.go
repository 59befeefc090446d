package figure

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/plural"
)

// Sizes of the cards in units of the page.
const (
	patchSide = 60
	patchGap  = 6
	cardPad   = 12
	cardGap   = 12
	arrow     = 30
	barWidth  = 6
	label     = 20 // below a patch
	more      = 56 // for the remaining links
	shown     = 6  // the largest number of patches on a card
)

const cardHeight = 2*cardPad + patchSide + label

// card is a node of the first image with its flow.
type card struct {
	node  int
	links []answer.Link // shown
	rest  []answer.Link
	at    point
}

func (k *card) width() float64 {
	w := 2*cardPad + barWidth + patchGap + patchSide + arrow + float64(len(k.links))*(patchSide+patchGap) - patchGap
	if len(k.rest) > 0 {
		w += more
	}
	return w
}

// Flow draws the whole flow as cards of patches: every node of the first image, the heaviest first,
// with the receiving nodes of the second image and their shares of its weight.
func (s *Subject) Flow() image.Image {
	const width = 1220 // of two full cards
	cards := s.cards(width - 2*margin)
	height := float64(cardHeight)
	if len(cards) > 0 {
		height += cards[len(cards)-1].at.y
	}
	c, top := newPage(s.header("Where the weight goes",
		fmt.Sprintf("Each patch of %s, the heaviest first, with its share of the weight, and the patches of %s that receive it, with their part of that.", s.From.Name, s.To.Name)),
		width, height, s.Scale)
	from, to := rgba(s.From.View), rgba(s.To.View)
	bright := s.Explanation.From.Brightness()
	for _, k := range cards {
		k.at = point{margin + k.at.x, top + k.at.y}
		s.draw(c, k, bright[k.node], from, to)
	}
	return c.img
}

// cards lays the cards out like the words of a text.
func (s *Subject) cards(width float64) []card {
	var cards []card
	x, y := 0., 0.
	for _, node := range byWeight(s.Explanation.From) {
		k := card{node: node, links: s.Explanation.Sends(node, 0)}
		if len(k.links) > shown {
			k.links, k.rest = k.links[:shown], k.links[shown:]
		}
		w := k.width()
		if x > 0 && x+w > width {
			x, y = 0, y+cardHeight+cardGap
		}
		k.at = point{x, y}
		x += w + cardGap
		cards = append(cards, k)
	}
	return cards
}

func (s *Subject) draw(c *canvas, k card, bright float64, from, to image.Image) {
	e := s.Explanation
	c.fill(rect{k.at.x, k.at.y, k.width(), cardHeight}, 10, panel)
	patch := func(r rect, img image.Image, pixels image.Rectangle) {
		c.scaled(c.pixels(fit(r, pixels)), img, pixels)
	}
	x, y := k.at.x+cardPad, k.at.y+cardPad
	c.fill(rect{x, y, barWidth, patchSide}, 3, paper)
	c.fill(rect{x, y + patchSide*(1-bright), barWidth, patchSide * bright}, 3, mark)
	x += barWidth + patchGap
	patch(rect{x, y, patchSide, patchSide}, from, part(from, e.From[k.node].Region))
	c.write(point{x + patchSide/2, y + patchSide + 16}, 0.5, numberStyle, ink, percent(e.From[k.node].Weight/e.Total))
	x += patchSide

	middle := y + patchSide/2.
	tip := point{x + arrow - 8, middle}
	c.fill(rect{x + 7, middle - 0.75, arrow - 18, 1.5}, 0, faint)
	c.polygon([]point{{tip.x - 6, tip.y - 4}, tip, {tip.x - 6, tip.y + 4}}, faint)
	x += arrow
	for _, l := range k.links {
		share := l.Flow / e.From[k.node].Weight
		r := rect{x, y, patchSide, patchSide}
		patch(r, to, part(to, e.To[l.To].Region))
		c.fill(r, 0, seeThrough(panel, 0.65*(1-l.Flow/k.links[0].Flow)))
		c.write(point{x + patchSide/2, y + patchSide + 16}, 0.5, smallStyle, ink, percent(share))
		x += patchSide + patchGap
	}
	if len(k.rest) > 0 {
		c.write(point{x + 4, middle}, 0, smallStyle, faint, fmt.Sprintf("%d more", len(k.rest)))
		c.write(point{x + 4, middle + 16}, 0, smallStyle, faint, percent(totalFlow(k.rest)/e.From[k.node].Weight))
	}
}

func totalFlow(links []answer.Link) float64 {
	var mass float64
	for _, l := range links {
		mass += l.Flow
	}
	return mass
}

// byWeight returns the indexes of nodes, the heaviest first.
func byWeight(nodes answer.Side) []int {
	order := numbers(0, nodes.N())
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[b].Weight, nodes[a].Weight) })
	return order
}

// Weights draws the weights of both images' nodes, spread over their regions, relative to equal
// weights.
func (s *Subject) Weights() image.Image {
	const width, legend = 1000, 54
	side := (width - 2*margin - gap) / 2.
	c, top := newPage(s.header("Node weights",
		"The weight of each place in its image. Things in both images have much weight, things in only one image have little."),
		width, caption+side+legend, s.Scale)
	pictures := []Picture{s.From, s.To}
	most := 0.
	fields := make([][]float64, len(pictures))
	places := make([]rect, len(pictures))
	for k, weights := range []answer.Side{s.Explanation.From, s.Explanation.To} {
		x := margin + float64(k)*(side+gap)
		places[k] = c.captioned(rect{x, top + caption, side, side}, pictures[k].Name, rgba(pictures[k].View))
		pixels := c.pixels(places[k])
		fields[k] = weights.Heat(pixels.Dx(), pixels.Dy())
		each := float64(len(fields[k])) / s.Explanation.Total
		for i := range fields[k] {
			fields[k][i] *= each
		}
		most = max(most, slices.Max(fields[k]))
	}
	for k, place := range places {
		c.heated(c.pixels(place), fields[k], most)
	}
	c.legend(rect{margin, top + caption + side + 22, width - 2*margin, 10}, most)
	return c.img
}

// heated colors a drawn image by a field with a value per pixel. The brightness of the image
// remains visible.
func (c *canvas) heated(pixels image.Rectangle, field []float64, most float64) {
	for y := range pixels.Dy() {
		for x := range pixels.Dx() {
			at := c.img.PixOffset(pixels.Min.X+x, pixels.Min.Y+y)
			pix := c.img.Pix[at:][:3]
			shade := (0.299*float64(pix[0]) + 0.587*float64(pix[1]) + 0.114*float64(pix[2])) / 255
			paint := heatColor(field[y*pixels.Dx()+x] / max(most, 1e-12))
			for k, v := range [3]uint8{paint.R, paint.G, paint.B} {
				pix[k] = uint8(math.Round(float64(v)*(0.35+0.65*shade) + 0.12*255*shade*(1-float64(v)/255)))
			}
		}
	}
}

// legend draws the scale of the colors.
func (c *canvas) legend(r rect, most float64) {
	bar := rect{r.x + r.w*0.25, r.y, r.w * 0.5, r.h}
	pixels := c.pixels(bar)
	for x := range pixels.Dx() {
		paint := heatColor(float64(x) / float64(max(1, pixels.Dx()-1)))
		for y := range pixels.Dy() {
			c.img.SetRGBA(pixels.Min.X+x, pixels.Min.Y+y, paint)
		}
	}
	tick := func(value float64, text string, paint color.RGBA) {
		x := bar.x + bar.w*value/most
		c.fill(rect{x - 0.5, bar.y + bar.h, 1, 4}, 0, faint)
		c.write(point{x, bar.y + bar.h + 18}, 0.5, smallStyle, paint, text)
	}
	tick(0, "nothing", faint)
	if most > 1.3 {
		tick(1, "as if all were equal", faint)
	}
	tick(most, fmt.Sprintf("%.1f times that", most), faint)
}

const caption = 26

// Matches draws each image and a mosaic of the other's best-matching patches, like the paper: every
// node shows the patch that receives most of its weight, as bright as the node's own weight. Each
// layer of nodes has a mosaic.
func (s *Subject) Matches() image.Image {
	rows := []*Subject{s, s.reversed()}
	columns := 1
	for _, r := range rows {
		columns = max(columns, 1+len(r.layers(r.Explanation.From.N())))
	}
	width := max(1000, float64(columns)*(260+gap)-gap+2*margin)
	side := (width - 2*margin - float64(columns-1)*gap) / float64(columns)
	row := caption + side + gap
	c, top := newPage(s.header("Best matches",
		"Each image, and next to it the same image rebuilt from the other's patches: every place shows its best match. Brighter patches have more weight."),
		width, 2*row-gap, s.Scale)
	for k, r := range rows {
		y := top + float64(k)*row
		r.rebuilt(c, y, side)
	}
	return c.img
}

// rebuilt draws an image and its mosaics.
func (s *Subject) rebuilt(c *canvas, y, side float64) {
	e := s.Explanation
	from, to := rgba(s.From.View), rgba(s.To.View)
	place := func(column int) rect {
		return rect{margin + float64(column)*(side+gap), y + caption, side, side}
	}
	c.captioned(place(0), s.From.Name, from)
	for k, l := range s.layers(e.From.N()) {
		pixels := c.pixels(fit(place(k+1), from.Rect))
		built := mosaic(e, l, to, pixels.Dx(), pixels.Dy())
		c.heading(place(k+1), "from "+plural.Count(len(l.nodes), "patch", "patches")+" of "+s.To.Name)
		c.scaled(pixels, built, built.Rect)
	}
}
