package figure

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
)

// Sizes of the cards of flows, in units of the page.
const (
	patchSide = 60
	patchGap  = 6
	cardPad   = 12
	cardGap   = 12
	arrow     = 30
	barWidth  = 6
	label     = 20 // below a patch
	more      = 56 // for what is not shown
	shown     = 6  // patches that a card shows at most
)

// cardHeight is that of a card.
const cardHeight = 2*cardPad + patchSide + label

// card is one node of the first picture with what it sends.
type card struct {
	node  int
	links []answer.Link // that are shown
	rest  []answer.Link
	at    point
}

// width is that of a card.
func (k *card) width() float64 {
	w := 2*cardPad + barWidth + patchGap + patchSide + arrow + float64(len(k.links))*(patchSide+patchGap) - patchGap
	if len(k.rest) > 0 {
		w += more
	}
	return w
}

// Flow draws the whole flow as cards of patches: every node of the first picture,
// the heaviest first, with the nodes of the second that it sends to and the share
// of its weight that each receives.
func (s *Subject) Flow() (image.Image, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	const width = 1220 // of two full cards
	cards := s.cards(width - 2*margin)
	height := float64(cardHeight)
	if len(cards) > 0 {
		height += cards[len(cards)-1].at.y
	}
	c, top := newPage(s.header("Where the weight goes",
		fmt.Sprintf("Each patch of %s, the heaviest first, with its share of the weight, and the patches of %s that receive it, with their part of that.", s.From.Name, s.To.Name)),
		width, height, s.scale())
	from, to := rgba(s.From.View), rgba(s.To.View)
	bright := s.Explanation.From.Brightness(nil)
	for _, k := range cards {
		k.at = point{margin + k.at.x, top + k.at.y}
		s.draw(c, k, bright[k.node], from, to)
	}
	return c.img, nil
}

// cards lays the cards out, like words of a text.
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

// draw draws a card.
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
		c.write(point{x + 4, middle + 16}, 0, smallStyle, faint, percent(sum(k.rest)/e.From[k.node].Weight))
	}
}

// sum is the mass of links.
func sum(links []answer.Link) float64 {
	var mass float64
	for _, l := range links {
		mass += l.Flow
	}
	return mass
}

// byWeight are the numbers of nodes, the heaviest first.
func byWeight(nodes answer.Side) []int {
	order := numbers(0, nodes.N())
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[b].Weight, nodes[a].Weight) })
	return order
}
