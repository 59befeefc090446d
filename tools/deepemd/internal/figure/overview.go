package figure

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
)

// least is the share of all mass below which a flow is not drawn: thinner than a
// hair.
const least = 0.001

// Overview draws both pictures side by side, places as bright as they weigh, and
// the flow as lines from place to place, as thick as the mass that they carry.
// Their colours tell from which part of the first picture they come.
func (s *Subject) Overview() (image.Image, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	const width, between = 1160, 150
	side := (width - 2*margin - between) / 2.
	text := "Every line takes weight from a place of the left picture to the place of the right one that resembles it: the thicker, the more. Bright places weigh much, dark ones little."
	if len(s.layers(s.Explanation.From.N())) > 1 {
		text += " Rings are nodes that see a larger part of the picture."
	}
	c, top := newPage(s.header("How the pictures match", text),
		width, caption+side, s.scale())
	from, to := rgba(s.From.View), rgba(s.To.View)
	left := fit(rect{margin, top + caption, side, side}, from.Rect)
	right := fit(rect{margin + side + between, top + caption, side, side}, to.Rect)
	c.write(point{margin, top + 14}, 0, textStyle, ink, c.shortened(textStyle, s.From.Name, side))
	c.write(point{margin + side + between, top + 14}, 0, textStyle, ink, c.shortened(textStyle, s.To.Name, side))
	c.picture(left, from)
	c.picture(right, to)
	c.dimmed(c.pixels(left), s.Explanation.From)
	c.dimmed(c.pixels(right), s.Explanation.To)
	s.lines(c, left, right)
	return c.img, nil
}

// dimmed makes a picture that is drawn already as bright as its places weigh.
func (c *canvas) dimmed(pixels image.Rectangle, side answer.Side) {
	field := side.Heat(nil, pixels.Dx(), pixels.Dy())
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

// lines draws the flow from one picture to the other, the thick above the thin.
func (s *Subject) lines(c *canvas, left, right rect) {
	e := s.Explanation
	links := e.Links(least)
	if len(links) == 0 {
		return
	}
	const thickest = 8.
	most := links[0].Flow
	colour := func(node int) color.RGBA {
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
		c.curve(a, b, thick, seeThrough(colour(l.From), 0.35+0.6*share))
	}
	for i, p := range from {
		c.place(p, colour(i))
	}
	back := e.Reverse()
	for j, p := range to {
		if best := back.Best(j); best >= 0 {
			c.place(p, colour(best))
		}
	}
}

// place is where the lines of a node end.
type place struct {
	at     point
	radius float64
	ring   bool
}

// places are those of the nodes of a picture that fills r: the middles of their
// regions, larger the more they weigh. Nodes of coarser layers are rings, set off a
// little, because they have their middles where others have.
func (s *Subject) places(r rect, side answer.Side) []place {
	const largest, offset = 7., 11.
	bright := side.Brightness(nil)
	places := make([]place, side.N())
	layers := s.layers(side.N())
	size := func(l layer) float64 {
		seen := within(rect{0, 0, 1, 1}, side[l.nodes[0]].Region)
		return seen.w * seen.h
	}
	for _, l := range layers {
		coarser := 0. // than so many layers
		for _, other := range layers {
			if size(l) > size(other) {
				coarser++
			}
		}
		for _, i := range l.nodes {
			at := within(r, side[i].Region).centre()
			places[i] = place{
				at:     point{at.x + coarser*offset, at.y - coarser*offset},
				radius: max(2.5, largest*math.Sqrt(bright[i])),
				ring:   coarser > 0,
			}
		}
	}
	return places
}

// place draws the end of a node's lines.
func (c *canvas) place(p place, colour color.RGBA) {
	c.disc(p.at, p.radius+1, seeThrough(paper, 0.75))
	c.disc(p.at, p.radius, colour)
	if p.ring {
		c.disc(p.at, p.radius*0.5, paper)
	}
}
