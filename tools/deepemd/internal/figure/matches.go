package figure

import (
	"fmt"
	"image"
)

// caption is the height of a line of text above a panel.
const caption = 26

// Matches draws each picture beside itself rebuilt of the other's best matches,
// as the paper shows its matching: in the place of every node lies the patch that
// it sends most to, as bright as the node weighs. There is a mosaic for each layer
// of nodes.
func (s *Subject) Matches() (image.Image, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	rows := []*Subject{s, s.reversed()}
	columns := 1
	for _, r := range rows {
		columns = max(columns, 1+len(r.layers(r.Explanation.From.N())))
	}
	width := max(1000, float64(columns)*(260+gap)-gap+2*margin)
	side := (width - 2*margin - float64(columns-1)*gap) / float64(columns)
	row := caption + side + gap
	c, top := newPage(s.header("Best matches",
		"Each picture, and beside it the same picture put together from the other's patches: in every place the patch that matches it best. The brighter a patch, the more it weighs."),
		width, 2*row-gap, s.scale())
	for k, r := range rows {
		y := top + float64(k)*row
		r.rebuilt(c, y, side)
	}
	return c.img, nil
}

// rebuilt draws a row: the picture, and its mosaics.
func (s *Subject) rebuilt(c *canvas, y, side float64) {
	e := s.Explanation
	from, to := rgba(s.From.View), rgba(s.To.View)
	place := func(column int) rect {
		return rect{margin + float64(column)*(side+gap), y + caption, side, side}
	}
	heading := func(column int, text string) {
		c.write(point{place(column).x, y + 14}, 0, textStyle, ink, c.shortened(textStyle, text, side))
	}
	heading(0, s.From.Name)
	c.picture(fit(place(0), from.Rect), from)
	for k, l := range s.layers(e.From.N()) {
		text := fmt.Sprintf("from %s of %s", count(len(l.nodes), "patch", "patches"), s.To.Name)
		heading(k+1, text)
		r := fit(place(k+1), from.Rect)
		pixels := c.pixels(r)
		built := mosaic(e, l, to, pixels.Dx(), pixels.Dy())
		c.scaled(pixels, built, built.Rect)
	}
}

// count is a number of things in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
