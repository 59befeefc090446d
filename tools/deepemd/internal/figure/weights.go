package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
)

// Weights draws how much weight lies where in each picture: its nodes' weights,
// spread over their regions, in shares of what they would be if all were equal.
func (s *Subject) Weights() (image.Image, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	const width, legend = 1000, 54
	side := (width - 2*margin - gap) / 2.
	c, top := newPage(s.header("Node weights",
		"How much of its picture's weight each place carries. What both pictures have in common weighs much, what only one of them shows weighs little."),
		width, caption+side+legend, s.scale())
	pictures := []Picture{s.From, s.To}
	most := 0.
	fields := make([][]float64, len(pictures))
	places := make([]rect, len(pictures))
	for k, weights := range []answer.Side{s.Explanation.From, s.Explanation.To} {
		x := margin + float64(k)*(side+gap)
		img := rgba(pictures[k].View)
		places[k] = fit(rect{x, top + caption, side, side}, img.Rect)
		c.write(point{x, top + 14}, 0, textStyle, ink, c.shortened(textStyle, pictures[k].Name, side))
		c.picture(places[k], img)
		pixels := c.pixels(places[k])
		fields[k] = weights.Heat(nil, pixels.Dx(), pixels.Dy())
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
	return c.img, nil
}

// heated colours a picture that is drawn already by a field of values, one for
// each pixel: the picture stays as light and shade.
func (c *canvas) heated(pixels image.Rectangle, field []float64, most float64) {
	for y := range pixels.Dy() {
		for x := range pixels.Dx() {
			at := c.img.PixOffset(pixels.Min.X+x, pixels.Min.Y+y)
			pix := c.img.Pix[at:][:3]
			shade := (0.299*float64(pix[0]) + 0.587*float64(pix[1]) + 0.114*float64(pix[2])) / 255
			colour := heat(field[y*pixels.Dx()+x] / max(most, 1e-12))
			for k, v := range [3]uint8{colour.R, colour.G, colour.B} {
				pix[k] = uint8(math.Round(float64(v)*(0.35+0.65*shade) + 0.12*255*shade*(1-float64(v)/255)))
			}
		}
	}
}

// legend says what the colours stand for.
func (c *canvas) legend(r rect, most float64) {
	bar := rect{r.x + r.w*0.25, r.y, r.w * 0.5, r.h}
	pixels := c.pixels(bar)
	for x := range pixels.Dx() {
		colour := heat(float64(x) / float64(max(1, pixels.Dx()-1)))
		for y := range pixels.Dy() {
			c.img.SetRGBA(pixels.Min.X+x, pixels.Min.Y+y, colour)
		}
	}
	tick := func(value float64, text string, colour color.RGBA) {
		x := bar.x + bar.w*value/most
		c.fill(rect{x - 0.5, bar.y + bar.h, 1, 4}, 0, faint)
		c.write(point{x, bar.y + bar.h + 18}, 0.5, smallStyle, colour, text)
	}
	tick(0, "nothing", faint)
	if most > 1.3 {
		tick(1, "as if all were equal", faint)
	}
	tick(most, fmt.Sprintf("%.1f times that", most), faint)
}
