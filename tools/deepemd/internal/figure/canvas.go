package figure

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// rect is a rectangle of a page, in its units.
type rect struct{ x, y, w, h float64 }

// point is a place on a page.
type point struct{ x, y float64 }

// canvas is a page that is being drawn. Its unit is a pixel at scale 1.
type canvas struct {
	img   *image.RGBA
	scale float64
	fonts *fonts
}

// newCanvas returns an empty page.
func newCanvas(width, height, scale float64) *canvas {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(width*scale)), int(math.Ceil(height*scale))))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return &canvas{img: img, scale: scale, fonts: newFonts(scale)}
}

// pixels is the rectangle of pixels that comes closest to one of the page.
func (c *canvas) pixels(r rect) image.Rectangle {
	at := func(v float64) int { return int(math.Round(v * c.scale)) }
	return image.Rect(at(r.x), at(r.y), at(r.x+r.w), at(r.y+r.h))
}

// fill fills a rectangle whose corners are round.
func (c *canvas) fill(r rect, radius float64, colour color.RGBA) {
	radius = min(radius, r.w/2, r.h/2)
	if radius <= 0 {
		draw.Draw(c.img, c.pixels(r), image.NewUniform(colour), image.Point{}, draw.Over)
		return
	}
	c.polygon(outline(r, radius), colour)
}

// outline is the edge of a rectangle with round corners, clockwise.
func outline(r rect, radius float64) []point {
	const steps = 8
	var edge []point
	for corner, centre := range []point{
		{r.x + r.w - radius, r.y + radius}, {r.x + r.w - radius, r.y + r.h - radius},
		{r.x + radius, r.y + r.h - radius}, {r.x + radius, r.y + radius},
	} {
		for k := range steps + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(corner-1) + float64(k)/steps))
			edge = append(edge, point{centre.x + radius*cos, centre.y + radius*sin})
		}
	}
	return edge
}

// disc fills a circle.
func (c *canvas) disc(at point, radius float64, colour color.RGBA) {
	c.fill(rect{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, radius, colour)
}

// polygon fills a closed path.
func (c *canvas) polygon(edge []point, colour color.RGBA) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range edge {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	s := c.scale
	bounds := image.Rect(int(low.x*s)-1, int(low.y*s)-1, int(high.x*s)+2, int(high.y*s)+2)
	ras := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	for i, p := range edge {
		x, y := float32(p.x*s-float64(bounds.Min.X)), float32(p.y*s-float64(bounds.Min.Y))
		if i == 0 {
			ras.MoveTo(x, y)
		} else {
			ras.LineTo(x, y)
		}
	}
	ras.ClosePath()
	ras.Draw(c.img, bounds, image.NewUniform(colour), image.Point{})
}

// curve draws a line from one place to another, a cubic Bézier curve that is bowed
// upwards, the more the farther it goes, so that lines along a row of places do not
// lie on each other.
func (c *canvas) curve(from, to point, width float64, colour color.RGBA) {
	const steps = 48
	bend, bow := (to.x-from.x)*0.42, math.Abs(to.x-from.x)*0.055
	p := [4]point{from, {from.x + bend, from.y - bow}, {to.x - bend, to.y - bow}, to}
	var left, right []point
	for k := range steps + 1 {
		t := float64(k) / steps
		u := 1 - t
		at := func(of func(point) float64) float64 {
			return u*u*u*of(p[0]) + 3*u*u*t*of(p[1]) + 3*u*t*t*of(p[2]) + t*t*t*of(p[3])
		}
		along := func(of func(point) float64) float64 {
			return 3*u*u*(of(p[1])-of(p[0])) + 6*u*t*(of(p[2])-of(p[1])) + 3*t*t*(of(p[3])-of(p[2]))
		}
		x, y := func(q point) float64 { return q.x }, func(q point) float64 { return q.y }
		dx, dy := along(x), along(y)
		half := width / 2 / max(math.Hypot(dx, dy), 1e-9)
		left = append(left, point{at(x) - dy*half, at(y) + dx*half})
		right = append(right, point{at(x) + dy*half, at(y) - dx*half})
	}
	for k := len(right) - 1; k >= 0; k-- {
		left = append(left, right[k])
	}
	c.polygon(left, colour)
}

// picture draws a picture, scaled to fill a rectangle.
func (c *canvas) picture(r rect, img image.Image) {
	c.scaled(c.pixels(r), img, img.Bounds())
}

// scaled draws a part of a picture into a rectangle of pixels.
func (c *canvas) scaled(dst image.Rectangle, img image.Image, part image.Rectangle) {
	draw.CatmullRom.Scale(c.img, dst, img, part, draw.Over, nil)
}
